import type { Simulation } from './simulation.ts';
import { calmKalshi } from './venues/moves-at-both.ts';
import { clearFaults } from './venues/second-venue.ts';

/** Ends all that is wrong with the exchange, the network, the database and the processes. */
export async function calm(simulation: Simulation): Promise<void> {
  const { exchange, network, running, time } = simulation;
  clearFaults(exchange);
  calmKalshi(simulation);
  exchange.chain.unstick();
  exchange.engine.tradingMode.setMode('normal');
  network.calm();
  simulation.databaseDelayMs = 0;
  for (const [name, one] of [...running]) {
    one.starting.owner.isDeaf = false;
    one.starting.owner.thaw();
    simulation.dieAfter(one, Number.POSITIVE_INFINITY);
    if (one.starting.owner.isDead) await time.drive(simulation.start(name).starting.ready);
  }
}
