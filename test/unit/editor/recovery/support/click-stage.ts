import type { Acted, ActFailure, ActRequest, Launch } from '../../../../../src/recover/act/ports';
import type { Decision } from '../../../../../src/recover/decisions/decision';
import { RecoveryUi } from '../../../../../src/editor/recovery/recovery-ui';
import { Emitter } from '../../../../../src/base/util/emitter';
import { silentLog } from '../../../../../src/base/util/log';
import { fail, ok, type Result } from '../../../../../src/base/util/result';
import type { HelpedBefore } from '../../../../../src/history/types';
import { incident } from '../../../history/support/incidents';
import { agentView } from '../../support/views';
import { editor } from '../../support/vscode';

export const SECRET = `sk-ant-api03-${'aB3'.repeat(20)}`;
export const LAUNCH: Launch = {
  id: 'L',
  agent: 'claude-code',
  mode: 'resume',
  title: 'Claude Code',
  incident: 'A',
  from: 's',
  program: '/usr/bin/claude',
  args: ['--resume', `continue with ${SECRET}`],
  cwd: '/home/me/calc',
  remarks: [],
};

export interface Stage {
  readonly decision?: Partial<Decision>;
  /** The result of each action, in order; `asked` if none is set. */
  readonly outcomes?: readonly (Acted | ActFailure)[];
  /** The place where its agent runs, and where its terminal was. */
  readonly inChat?: boolean;
  readonly inTerminal?: boolean;
  /** The start that is planned, or that waits for the agent's end. */
  readonly launch?: Launch | null;
  readonly hasModel?: boolean;
  /** False if nothing can be done about it. */
  readonly proposes?: boolean;
  /** Attempts in similar incidents. */
  readonly before?: HelpedBefore;
  readonly resume?: Result<unknown, { readonly message: string }>;
}

/** A stuck agent, a person who clicks, and what was done then. */
export function stage({
  decision,
  outcomes = [],
  inChat = false,
  inTerminal = false,
  launch = null,
  hasModel = true,
  resume,
  before,
  proposes = true,
}: Stage = {}) {
  const done: unknown[] = [];
  const left = [...outcomes];
  const launches = new Emitter<Launch>();
  const changes = [new Emitter<void>(), new Emitter<void>(), new Emitter<void>()] as const;
  const ends = new Emitter<string>();
  const action = (name: string, possible: boolean) => ({
    action: name,
    name,
    possible,
    text: `${name} cannot be done`,
  });
  const recovery = {
    onLaunch: launches.event,
    onDidChange: changes[0].event,
    ended: (session: string) => void done.push(['ended', session]),
    decide: () => ({ do: 'restart', reason: 'asked', text: '', rung: null, ...decision }),
    act: (id: string, request: ActRequest) => {
      done.push(['act', id, request]);
      const outcome = left.shift() ?? ({ kind: 'asked' } as const);
      return Promise.resolve('code' in outcome ? fail(outcome) : ok(outcome));
    },
    saveCheckpoint: (session: string) => {
      done.push(['saved', session]);
      return Promise.resolve(fail({ message: 'The disk is full.' }));
    },
    propose: () =>
      proposes
        ? {
            ladder: { rows: [] },
            actions: [action('fresh', true), action('fork', false)],
            recommended: 'fresh',
            automatic: { on: false },
          }
        : undefined,
    planned: () => launch,
    waitsFor: () => launch,
    dropRestart: (session: string) => void done.push(['left', session]),
    hold: (id: string, on: boolean) => void done.push(['hold', id, on]),
    successors: () => [{ session: 't', title: 'Idle', agentName: 'Codex' }],
  };
  const terminals = {
    onDidChange: changes[1].event,
    onDidEnd: ends.event,
    isHere: () => inTerminal,
    wasHere: () => inTerminal,
    isInFront: () => inTerminal,
    show: () => Promise.resolve((done.push(['terminal']), inTerminal)),
  };
  const chats = {
    isHere: () => inChat,
    show: () => Promise.resolve(void done.push(['chat shown'])),
    cancel: () => Promise.resolve(void done.push(['chat cancelled'])),
    begin: (prompt: string) => Promise.resolve((done.push(['chat begun', prompt]), hasModel)),
  };
  const launcher = {
    start: (one: Launch) => Promise.resolve(void done.push(['started', one.id])),
    resume: ({ title }: { title: string }) => Promise.resolve(void done.push(['resumed', title])),
  };
  const ui = new RecoveryUi(
    { log: silentLog } as never,
    recovery as never,
    () => (resume ?? ok({ program: 'claude', args: [] })) as never,
    terminals as never,
    { of: () => before, onDidChange: changes[2].event },
    chats as never,
    launcher as never,
  );
  const about = incident({ id: 'A', session: 's' });
  const view = agentView('s', { kind: 'stuck' }, { incidents: [about] });
  return {
    ui,
    done,
    view,
    about,
    launches,
    changes,
    ends,
    act: (name: 'fresh' | 'stop' | 'block' | 'reassign' | 'checkpoint') => ui.act(view, about, name),
  };
}

/** Questions and messages that the person got. */
export const questions = () => editor.shown.map(({ text }) => text);
