/** What stands above the calls at /docs. Each example is run as it is by `e2e/security/docs-examples.test.ts`. */

const CURL = `curl --fail-with-body --silent --show-error \\
  --header "Authorization: Bearer $DUTCHBOOK_TOKEN" \\
  "$DUTCHBOOK_URL/api/v1/arbitrage/opportunities?sort_by=profit_percentage&limit=5"`;

const PYTHON = `import json, os, urllib.request

def get(path):
    request = urllib.request.Request(
        os.environ["DUTCHBOOK_URL"] + "/api/v1" + path,
        headers={"Authorization": "Bearer " + os.environ["DUTCHBOOK_TOKEN"]},
    )
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.load(reply)

for opportunity in get("/arbitrage/opportunities?sort_by=profit_percentage&limit=5")["data"]:
    print(opportunity["id"], opportunity["current_price"], opportunity["profit_percentage"])`;

const TYPESCRIPT = `const { DUTCHBOOK_URL, DUTCHBOOK_TOKEN } = process.env;

async function call<Reply>(method: string, path: string, body?: object): Promise<Reply> {
  const reply = await fetch(\`\${DUTCHBOOK_URL}/api/v1\${path}\`, {
    method,
    headers: {
      authorization: \`Bearer \${DUTCHBOOK_TOKEN}\`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(\`\${reply.status} \${await reply.text()}\`);
  return (await reply.json()) as Reply;
}

type Opportunity = { id: string; active: boolean; profit_percentage: number | null };
const path = '/arbitrage/opportunities';
const { data } = await call<{ data: Opportunity[] }>('GET', \`\${path}?sort_by=profit_percentage&limit=5\`);
for (const { id, profit_percentage } of data) {
  // Needs a token of the scope trade.
  const { active } = await call<Opportunity>('PUT', \`\${path}/\${id}\`, { active: true });
  console.log(id, active, profit_percentage);
}`;

export const DESCRIPTION = `The calls of the Dutchbook desk.

Scripts call with an API token, made under **Settings, API Tokens** and sent as \`Authorization: Bearer dbk_…\`. A token has a
name, a last day and a scope: \`read\` (calls that only read), \`trade\` (what an operator may) or \`admin\` (what a superuser
may). None may do more than its owner, and none does anything about accounts, sessions or tokens. A token that has leaked is
revoked under Settings; a new password revokes all of them. Calls that trade take an \`Idempotency-Key\`: the same key and call
are answered by the same batch, so that asking again after a failure of the network places nothing twice. An error is
\`{"detail": …}\`; 429 says in \`Retry-After\` for how many seconds to wait.

What pays most now, by curl:

\`\`\`sh
${CURL}
\`\`\`

In Python:

\`\`\`python
${PYTHON}
\`\`\`

In TypeScript, which also makes them active:

\`\`\`ts
${TYPESCRIPT}
\`\`\`
`;
