import type { RelayMailbox } from '../../fleet/relay/ports';
import { FLEET_ACTIONS, type FleetAction, type MessageRecord } from '../../fleet';
import { type MessageDraft, supervisorOf } from '../../agents/inbox';
import { sendMessageOnce } from '../../agents/inbox/messages/send-once';
import { type AgentView, type RecoveryAttempt, attemptsOf, isActive, isTurnOver } from '../../core/model';
import type { LivenessProbe } from '../../agents/transcripts';
import { fail, ok } from '../../base/util/result';
import type { InboxPlaces } from './inbox-places';

export interface MailboxParts {
  readonly allow: readonly FleetAction[];
  readonly places: InboxPlaces;
  readonly probe: Pick<LivenessProbe, 'processStart'>;
  /** Returns the text of a small file. */
  readonly readSmall: (path: string) => string | undefined;
  readonly now: () => number;
  /** Called when a message is in the inbox of a session. */
  readonly written: (session: string) => void;
  /** Called when the message was about this incident: what then frees the agent is credited to the attempt. */
  readonly attempted: (incident: string, attempt: RecoveryAttempt) => void;
}

/** The inboxes of this machine as the relay writes to them: by the same rules as a window, and never beyond what `--allow` permits. */
export function relayMailbox({ allow, places, probe, readSmall, now, written, attempted }: MailboxParts): RelayMailbox {
  const accepts = (view: AgentView): readonly FleetAction[] => {
    const root = places.rootOf(view.cwd);
    if (root === null || view.deleted || view.state.kind === 'finished') return [];
    // It is asking its user something, and a message could be read as the answer.
    const { waitingFor } = view.state;
    const asks = waitingFor !== undefined && !isTurnOver(waitingFor);
    return FLEET_ACTIONS.filter((action) => {
      if (!allow.includes(action)) return false;
      // Only the program that runs it knows how to start it again.
      if (action === 'restart')
        return (
          supervisorOf(root, view.session, { read: readSmall, processStart: (pid) => probe.processStart(pid) }) !== null
        );
      return !asks || action === 'stop';
    });
  };
  return {
    accepts,
    async write(view, message) {
      const root = places.rootOf(view.cwd);
      if (root === null) return fail({ why: 'cannot_be_reached' as const, detail: 'the agent has no inbox' });
      const sent = await sendMessageOnce(root, message.id, draftOf(view, message), now(), { by: 'relay' });
      if (!sent.ok) {
        const why = sent.error.code === 'invalid' ? ('invalid' as const) : ('inbox' as const);
        return fail({ why, detail: sent.error.message });
      }
      const attempt = attemptOf(view, message, now());
      if (attempt) attempted(attempt.incident, attempt.attempt);
      written(view.session);
      return ok(sent.value);
    },
  };
}

/** Returns the attempt that a message makes on the incident it names; null if the incident is over or the attempt was already noted. */
function attemptOf(
  { incidents }: AgentView,
  { id, action, incident }: MessageRecord,
  at: number,
): { readonly incident: string; readonly attempt: RecoveryAttempt } | null {
  const of = incidents.find((one) => one.id === incident && isActive(one.state));
  if (!of || of.attempts.some(({ message }) => message === id)) return null;
  const attempt = attemptsOf(of) + 1;
  return { incident: of.id, attempt: { attempt, kind: action, message: id, at, automated: false, state: 'queued' } };
}

function draftOf(view: AgentView, message: MessageRecord): MessageDraft {
  const { action, text, viewer, incident, attempt, restart, expiresInMs } = message;
  return {
    session: view.session,
    agent: view.agent,
    kind: action,
    text,
    via: viewer,
    automated: false,
    ...(incident !== undefined && { incident }),
    ...(attempt !== undefined && { attempt }),
    ...(action === 'restart' &&
      restart && {
        restart: {
          mode: restart.mode,
          prompt: restart.prompt,
          ...(restart.model !== undefined && { model: restart.model }),
          ...(restart.thinking !== undefined && { thinking: restart.thinking }),
        },
      }),
    expiresIn: expiresInMs,
  };
}
