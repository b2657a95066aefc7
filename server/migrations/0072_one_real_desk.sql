-- What a desk that read Kalshi alone has set holds for all real venues, as it does now where there are several.
insert into discovery_settings (venue, form, changed_at, changed_by)
select 'polymarket', form, changed_at, changed_by from discovery_settings where venue = 'kalshi' on conflict do nothing;
--> statement-breakpoint
insert into report_settings (venue, form, changed_at, changed_by)
select 'polymarket', form, changed_at, changed_by from report_settings where venue = 'kalshi' on conflict do nothing;
--> statement-breakpoint
insert into security_settings (venue, form, changed_at, changed_by)
select 'polymarket', form, changed_at, changed_by from security_settings where venue = 'kalshi' on conflict do nothing;
