import type * as vscode from 'vscode';
import type { Engine } from '../../engine/engine';
import { type Heard, heard, sameAlarm, withNotStuck, withoutNotStuck } from '../../detect/incident';
import { type NotStuck, isActive } from '../../core/model';
import type { Incident } from '../../core/model';
import type { IncidentStore } from '../../history/types';
import { type Disposable, DisposableStore } from '../../base/util/disposable';
import { Emitter } from '../../base/util/emitter';
import { textDigest } from '../../base/util/hash';

const KEY = 'unstuck.feedback.notStuck';

type Log = Pick<IncidentStore, 'feedback' | 'onDidChange'>;

/**
 * Verdicts of people that an agent is not stuck. They are kept with the workspace, where the engine finds them at once when it starts. The event log,
 * which all windows of a folder share, brings the verdicts from the other windows.
 */
export class Feedback implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changed = new Emitter<void>();
  private readonly heardOthers = new Emitter<Heard>();
  readonly onDidChange = this.changed.event;
  /** Fires before `onDidChange` when another window added or withdrew a verdict. */
  readonly onDidHear = this.heardOthers.event;
  private known: readonly NotStuck[];

  constructor(
    private readonly memory: vscode.Memento,
    private readonly log: Log,
  ) {
    const kept = memory.get<readonly NotStuck[]>(KEY) ?? [];
    this.known = heard(kept, log.feedback()).list;
    if (this.known !== kept) this.keep();
    this.owned.add(
      log.onDidChange(({ source, events }) => {
        if (source !== 'own' && events.length > 0) this.hear();
      }),
    );
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

  dispose(): void {
    this.owned.dispose();
    this.changed.dispose();
    this.heardOthers.dispose();
  }

  private hear(): void {
    const news = heard(this.known, this.log.feedback());
    if (news.list === this.known) return;
    this.heardOthers.fire(news);
    this.known = news.list;
    this.changed.fire();
    this.keep();
  }

  /** Stores what was heard. If storing fails, it is heard again when the window is next opened. */
  private keep(): void {
    Promise.resolve(this.memory.update(KEY, this.known)).catch(() => {});
  }

  private async take(list: readonly NotStuck[]): Promise<void> {
    this.known = list;
    this.changed.fire();
    await this.memory.update(KEY, list);
  }
}

/** Applies *Not Stuck* from other windows to this window's engine; an incident whose verdict was withdrawn is raised again. */
export function followFeedback(
  { engine, feedback }: { readonly engine: Pick<Engine, 'changeIncident' | 'session'>; readonly feedback: Feedback },
  configureEngine: () => void,
): Disposable {
  const owned = new DisposableStore();
  const change = (type: 'not_stuck' | 'take_back', one: NotStuck) => {
    if (engine.changeIncident(one.incident, { type, at: one.at })) return;
    // An incident that began with a silence has another id in each window, because each noticed it at a different moment.
    const incident = engine
      .session(one.session)
      ?.book.all()
      .find(
        ({ detector, rule, subject, openedAt }) =>
          openedAt <= one.at && sameAlarm(one, { detector, rule, call: textDigest(subject) }),
      );
    if (incident) engine.changeIncident(incident.id, { type, at: one.at });
  };
  owned.add(
    feedback.onDidHear(({ said, takenBack }) => {
      for (const one of said) change('not_stuck', one);
      for (const one of takenBack) change('take_back', one);
    }),
  );
  owned.add(feedback.onDidChange(configureEngine));
  return owned;
}

/** Returns the incidents that a person can declare not stuck: those that are neither over nor already declared. */
export function contestable(incidents: readonly Incident[]): readonly Incident[] {
  return incidents.filter(({ state }) => isActive(state) || state === 'muted');
}
