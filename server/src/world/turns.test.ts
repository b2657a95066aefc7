import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openMemoryDatabase } from './memory-database.fixture.ts';
import { realTimers } from './timers.ts';
import { takeTurns } from './turns.ts';

describe('turns on a database of one connection', () => {
  it('come in the order asked, the urgent ones first and the patient ones last; they go on after one that fails', async () => {
    await using client = await openMemoryDatabase();
    const { urgent, usual, patient } = takeTurns(client, realTimers(pino({ level: 'silent' })));
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const first = usual.transaction(async (tx) => {
      await tx.query('select 1');
      note('first')();
    });
    await Promise.all([
      first,
      patient.query('select 1').then(note('patient')),
      usual.query('select 1').then(note('second')),
      usual.query('select 1').then(note('third')),
      urgent.query('select 1').then(note('urgent')),
    ]);
    expect(order).toEqual(['first', 'urgent', 'second', 'third', 'patient']);

    const failing = usual.transaction(() => Promise.reject(new Error('changed its mind')));
    const next = usual.query('select 1 as one');
    await expect(failing).rejects.toThrow('changed its mind');
    expect((await next).rows).toEqual([{ one: 1 }]);
  });

  it('come to the patient ones where there is always somebody else', async () => {
    await using client = await openMemoryDatabase();
    const { usual, patient } = takeTurns(client, realTimers(pino({ level: 'silent' })));
    let isDone = false;
    const askOn = async () => {
      while (!isDone) await usual.query('select 1');
    };
    const others = Promise.all([askOn(), askOn()]);
    expect((await patient.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    isDone = true;
    await others;
  });

  it('come to the patient ones once a call has asked all it asks, one thing after the other', async () => {
    await using client = await openMemoryDatabase();
    const { usual, patient } = takeTurns(client, realTimers(pino({ level: 'silent' })));
    const order: string[] = [];
    const call = async () => {
      for (const name of ['first', 'second', 'third']) {
        await usual.query('select 1');
        order.push(name);
      }
    };
    await Promise.all([call(), patient.query('select 1').then(() => void order.push('patient'))]);
    expect(order).toEqual(['first', 'second', 'third', 'patient']);
  });
});
