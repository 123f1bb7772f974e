import type { Incident } from '../../core/model';
import type { HelpedBefore } from '../../history/types';
import { Emitter } from '../../base/util/emitter';
import type { Services } from '../services';

/** Interval at which the history is queried for each incident, milliseconds. */
const FRESH_MS = 60_000;
const MOST = 200;

/** Looks up what was tried in similar incidents, as far as the history has answered by now. */
export class BeforeCache {
  private readonly known = new Map<string, { readonly at: number; readonly before: HelpedBefore | undefined }>();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly services: Pick<Services, 'store' | 'now' | 'log'>) {}

  /** Queries the history if the answer is missing or old; `onDidChange` fires when the answer comes. */
  of(incident: Incident): HelpedBefore | undefined {
    const known = this.known.get(incident.id);
    if (!known || this.services.now() - known.at > FRESH_MS) void this.query(incident, known?.before);
    return known?.before;
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async query(incident: Incident, last: HelpedBefore | undefined): Promise<void> {
    const { store, now, log } = this.services;
    this.keep(incident.id, last, now());
    try {
      const before = await store.helpedBefore(incident);
      this.keep(incident.id, before, now());
      if (JSON.stringify(before) !== JSON.stringify(last)) this.changed.fire();
    } catch (error) {
      log.warn(`the history could not be queried: ${String(error)}`);
    }
  }

  private keep(id: string, before: HelpedBefore | undefined, at: number): void {
    this.known.delete(id);
    this.known.set(id, { at, before });
    const [oldest] = this.known.keys();
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest);
  }
}
