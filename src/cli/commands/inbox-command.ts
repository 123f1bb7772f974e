import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { allDeliveries, deliveries } from '../../agents/inbox/messages/deliveries';
import { sendMessage } from '../../agents/inbox/messages/send';
import { takeMessages, withdrawMessage } from '../../agents/inbox/messages/waiting';
import type { Delivery } from '../../core/model';
import { signsInLine } from '../../base/util/showable';
import { readArguments } from '../arguments';
import { draftOfWords } from './inbox-draft';
import { type Output, UsageError } from '../output';
import { standardInput } from '../piped';

const HELP = "See 'unstuck inbox --help'.";
/** Size limit of a text from standard input, bytes: more than any model accepts. */
const LONGEST_TEXT = 1024 * 1024;

/** `inbox send|list|take|withdraw`: works with the inbox of a workspace folder by hand. */
export async function inboxCommand(args: readonly string[], output: Output, input: Readable): Promise<number> {
  const { values, positionals } = readArguments('inbox', args, {
    folder: { type: 'string' },
    session: { type: 'string' },
    agent: { type: 'string' },
    kind: { type: 'string' },
    text: { type: 'string' },
    incident: { type: 'string' },
    mode: { type: 'string' },
    prompt: { type: 'string' },
    model: { type: 'string' },
    thinking: { type: 'string' },
    to: { type: 'string' },
    avoid: { type: 'string', multiple: true },
    call: { type: 'string' },
    expires: { type: 'string' },
    json: { type: 'boolean' },
  });
  const [action, ...words] = positionals;
  const folder = resolve(values.folder ?? '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError('unreadable', `unstuck inbox: ${folder} is not a readable folder.`);
  }
  const session = () => {
    if (values.session) return values.session;
    throw new UsageError('usage', `unstuck inbox ${action}: --session is missing. ${HELP}`);
  };
  const say = (delivery: Delivery) => output.line(values.json ? JSON.stringify(record(delivery)) : line(delivery));
  const none = () => {
    if (values.json !== true) output.note('No message.');
  };
  switch (action) {
    case 'send': {
      const text = values.text === '-' ? await standardInput('inbox send', input, LONGEST_TEXT) : values.text;
      const draft = draftOfWords(session(), { ...values, text }, words);
      const sent = await sendMessage(folder, draft, Date.now(), { by: 'cli' });
      if (!sent.ok)
        throw new UsageError(
          sent.error.code === 'invalid' ? 'usage' : 'unreadable',
          `unstuck inbox send: ${sent.error.message}`,
        );
      say(sent.value);
      return 0;
    }
    case 'list': {
      if (values.session) {
        const list = await deliveries(folder, values.session, Date.now());
        if (!list.ok) throw new UsageError('unreadable', `unstuck inbox list: ${list.error.message}`);
        list.value.deliveries.forEach(say);
        if (list.value.deliveries.length === 0) none();
        for (const problem of list.value.problems) output.note(`${problem.path}: ${problem.why}`);
      } else {
        const all = await allDeliveries(folder, Date.now());
        all.deliveries.forEach(say);
        if (all.deliveries.length === 0) none();
        for (const problem of all.problems) output.note(`${problem.path}: ${problem.why}`);
      }
      return 0;
    }
    case 'take': {
      const taken = await takeMessages({
        root: folder,
        session: session(),
        by: 'cli',
        now: Date.now(),
        choose: (waiting) => waiting,
      });
      if (!taken.ok) throw new UsageError('unreadable', `unstuck inbox take: ${taken.error.message}`);
      if (taken.value.messages.length === 0) none();
      for (const message of taken.value.messages) output.line(JSON.stringify({ kind: 'message', message }));
      return 0;
    }
    case 'withdraw': {
      const id = words[0];
      if (!id) throw new UsageError('usage', `unstuck inbox withdraw: name the id of a message. ${HELP}`);
      const withdrawn = await withdrawMessage(folder, session(), id, Date.now(), 'cli');
      if (!withdrawn.ok) throw new UsageError('unreadable', `unstuck inbox withdraw: ${withdrawn.error.message}`);
      output.line(values.json ? JSON.stringify({ kind: 'withdrawn', id }) : `${id} withdrawn`);
      return 0;
    }
    default:
      throw new UsageError('usage', `unstuck inbox: say send, list, take or withdraw. ${HELP}`);
  }
}

function record({ message, state, times, by, outcome, reason }: Delivery) {
  return {
    kind: 'delivery' as const,
    message,
    state,
    times,
    by: by ?? null,
    outcome: outcome ?? null,
    reason: reason ?? null,
  };
}

function line({ message, state, outcome }: Delivery): string {
  const first = message.text.split('\n').find((text) => text.trim() !== '') ?? '';
  return `${message.id}  ${message.session}  ${message.kind}  ${state}${outcome ? ` (${outcome})` : ''}  ${signsInLine(first).slice(0, 80)}`;
}
