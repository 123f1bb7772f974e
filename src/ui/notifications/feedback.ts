import type * as vscode from 'vscode';
import { withNotStuck, withoutNotStuck } from '../../incident';
import { type NotStuck, isActive } from '../../model';
import type { Incident } from '../../model';
import { Emitter } from '../../util/emitter';

const KEY = 'unstuck.feedback.notStuck';

/** What people said is not stuck, kept with the workspace. The engine reads it when it starts, so it has to be there at once. */
export class Feedback {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private known: readonly NotStuck[];

  constructor(private readonly memory: vscode.Memento) {
    this.known = memory.get<readonly NotStuck[]>(KEY) ?? [];
  }

  /** Oldest first; the same object until it changes. */
  list(): readonly NotStuck[] {
    return this.known;
  }

  async add(one: NotStuck): Promise<void> {
    await this.take(withNotStuck(this.known, one));
  }

  async remove(one: NotStuck): Promise<void> {
    await this.take(withoutNotStuck(this.known, one));
  }

  private async take(list: readonly NotStuck[]): Promise<void> {
    this.known = list;
    this.changed.fire();
    await this.memory.update(KEY, list);
  }
}

/** The incidents that a person can say of that they are not stuck: what is neither over nor said already. */
export function contestable(incidents: readonly Incident[]): readonly Incident[] {
  return incidents.filter(({ state }) => isActive(state) || state === 'muted');
}
