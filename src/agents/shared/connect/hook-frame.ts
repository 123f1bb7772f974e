import { type HookAnswer, type HookForm, type HookRequest, SILENT } from '../../inbox/hook/hook-form';
import type { AgentId, InboxMessage } from '../../../core/model';
import { fieldsOf, type JsonRecord } from '../../../base/util/json';

type Environment = Readonly<Record<string, string | undefined>>;

/** Hook protocol of one kind of agent: the fields of its events, and the form of the answers. */
export interface HookFrame<E extends string> {
  readonly agent: AgentId;
  /** The events that carry messages. */
  readonly events: readonly E[];
  /** Null: this call delivers nothing. `watches` is left out if no file is watched. */
  readonly request: (
    event: E,
    payload: JsonRecord,
    env: Environment,
    caller: () => readonly string[] | null,
  ) => (Omit<HookRequest, 'choose' | 'watches'> & Partial<Pick<HookRequest, 'watches'>>) | null;
  /** `waiting`: messages for this agent only. */
  readonly choose: (event: E, payload: JsonRecord, waiting: readonly InboxMessage[]) => readonly InboxMessage[];
  /** Called only if there is something to answer: messages, or files to watch. */
  readonly answer: (
    event: E,
    messages: readonly InboxMessage[],
    watch: readonly string[],
    payload: JsonRecord,
  ) => HookAnswer;
}

/** Creates the form of an agent's hook: unknown events and messages for others are skipped, and without content there is no answer. */
export function hookForm<E extends string>({ agent, events, request, choose, answer }: HookFrame<E>): HookForm {
  const isKnown = (event: string): event is E => (events as readonly string[]).includes(event);
  return {
    agent,
    read(event, payload, env, caller): HookRequest | null {
      if (!isKnown(event)) return null;
      const given = fieldsOf(payload);
      const asked = request(event, given, env, caller);
      const own = (waiting: readonly InboxMessage[]) => waiting.filter((message) => message.agent === agent);
      return asked && { watches: false, ...asked, choose: (waiting) => choose(event, given, own(waiting)) };
    },
    answer(event, messages, watch, payload): HookAnswer {
      const isSilent = messages.length === 0 && watch.length === 0;
      return isKnown(event) && !isSilent ? answer(event, messages, watch, fieldsOf(payload)) : SILENT;
    },
  };
}
