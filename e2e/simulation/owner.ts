/** A simulated process of the product: what it started belongs to it, and dies or stops with it. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Thrown at the point where a process dies, so that nothing after it runs. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

export class Owner {
  readonly name: string;
  isDead = false;
  isFrozen = false;
  /** Notifications of the database are lost on their way to it. */
  isDeaf = false;
  readonly #onThaw: (() => void)[] = [];
  readonly #onDeath: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** Passes at once while the process runs, when it goes on if it was stopped, and never again once it is dead. */
  async alive(): Promise<void> {
    while (this.isFrozen && !this.isDead) await new Promise<void>((thawed) => this.#onThaw.push(thawed));
    if (this.isDead) await new Promise<never>(() => {});
  }

  onDeath(react: () => void): void {
    this.#onDeath.push(react);
  }

  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    for (const react of this.#onDeath.splice(0)) react();
  }

  /** As SIGSTOP does: nothing of it goes on, and whatever it is sent waits. */
  freeze(): void {
    this.isFrozen = true;
  }

  thaw(): void {
    this.isFrozen = false;
    for (const thawed of this.#onThaw.splice(0)) thawed();
  }
}

const owners = new AsyncLocalStorage<Owner | undefined>();

/** The process that the code which asks belongs to; undefined outside of all of them. */
export function currentOwner(): Owner | undefined {
  return owners.getStore();
}

export function runAs<T>(owner: Owner | undefined, work: () => T): T {
  return owners.run(owner, work);
}
