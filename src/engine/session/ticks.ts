import type { Session } from './session';

/** Ticks that may fall due between two records: a bound against a rule whose deadline does not move. */
const MAXIMUM_TICKS = 64;

/** Lets time pass up to `at` (milliseconds since the epoch): an alert about silence is raised at the moment at which it falls due. */
export function ticksUpTo(session: Pick<Session, 'deadline' | 'tick'>, at: number): void {
  for (let ticks = 0; ticks < MAXIMUM_TICKS; ticks++) {
    const deadline = session.deadline();
    if (deadline > at) return;
    session.tick(deadline);
    if (session.deadline() <= deadline) return;
  }
}
