import {
  type CallDescription,
  describeCall,
  oneLine,
  type ToolTable,
  asRecord,
  asString,
  asText,
} from '../shared/decode';
import { putNewest } from '../../base/util/newest';
import { planItems } from '../shared/decode/plan-items';
import { type Conversation, PairedCalls, type RecordPlace, type ToolResult } from '../shared/conversation';
import { type InnerStep, isPoll, type WrittenCall } from './calls';
import { shellLineOf, type RanItem } from './items';
import { readOutput, sizeOf } from './output';

/** Roles of Codex's tools for which the common one does not fit, or that no other agent has. */
const TOOLS: ToolTable = {
  exec: 'code',
  sendinput: 'delegate',
  closeagent: 'delegate',
  resumeagent: 'delegate',
  followuptask: 'delegate',
  interruptagent: 'delegate',
  sendmessage: 'delegate',
  listagents: 'look',
  viewimage: 'read',
  imagegeneration: 'other',
  creategoal: 'plan',
  updategoal: 'plan',
  getgoal: 'look',
};
const SPAWN = /(?:^|\.)spawn_agent$/;
const LIMITS = { open: 200, done: 2000, early: 50 };

/** Pairs calls with their results, in classic and code mode, and emits each as one step. */
export interface CodexSteps {
  call(call: WrittenCall): void;
  /** Reads the output that the model received. */
  output(id: string | undefined, value: unknown): void;
  item(item: RanItem): void;
  /** Notes that a call has started a thread as its sub-agent. */
  spawned(id: string, thread: string): void;
  /** Notes that a sub-agent has ended. @param said its last words, if the record has them */
  childEnded(thread: string, said: string | undefined): void;
  /** Notes that no call is under way any more. */
  turnEnded(): void;
}

interface Step extends InnerStep {
  readonly id: string;
  /** Session of the thread that made the call: a file can hold two. */
  readonly session: string;
  readonly batch: string;
  announced: boolean;
  answered: boolean;
  /** The item that ran, kept until the output comes. */
  held?: ToolResult;
  /** True if that item is a server's tool. */
  isTool?: boolean;
}

interface OpenCall {
  readonly id: string;
  /** Batch of the steps of a script. */
  readonly group: string;
  /** One step in classic mode, one for each inner call of a script. */
  readonly steps: readonly Step[];
  readonly isScript: boolean;
}

export function createSteps(conversation: Conversation): CodexSteps {
  const calls = new PairedCalls<OpenCall, { readonly value: unknown; readonly place: RecordPlace }>(LIMITS);
  /** Calls of formats without ids, oldest first. */
  let nameless: string[] = [];
  let batch: string | null = null;
  let extra = 0;
  /** Threads that calls started, by the id of the call, until the call is answered. */
  const threads = new Map<string, string>();
  /** Calls that left something running, by the name of the process or thread. */
  const left = new Map<string, string>();

  const emitCall = (step: Step, malformed?: string, place?: RecordPlace): void => {
    step.announced = true;
    const described = describe(step.name, malformed === undefined ? step.args : {}, conversation.facts.cwd);
    conversation.emitFor(
      step.session,
      {
        type: 'tool_call',
        id: step.id,
        name: step.name,
        args: step.args,
        ...(malformed !== undefined && { malformed }),
        batch: step.batch,
        ...described,
      },
      place,
    );
  };

  const answer = (step: Step, given: ToolResult, place?: RecordPlace): void => {
    step.answered = true;
    const thread = threads.get(step.id);
    threads.delete(step.id);
    const result = thread === undefined ? given : { ...given, running: true, jobs: [{ key: thread }] };
    for (const { key } of result.jobs ?? []) putNewest(left, key, step.id, LIMITS.early);
    conversation.emitFor(step.session, { type: 'tool_result', id: step.id, ...result }, place);
    // A hook that refuses a call speaks through the result.
    if (result.isError && result.exitCode === undefined) conversation.marks(result.output);
    if (step.name !== 'update_plan' || result.isError) return;
    const items = planItems(asRecord(step.args)?.['plan']);
    if (items) conversation.emitFor(step.session, { type: 'plan', items }, place);
  };

  /** Answers the open steps of a call with the output that the model received. */
  const finish = (call: OpenCall, result: ToolResult, place?: RecordPlace): void => {
    const itemsCame = call.steps.some((step) => step.answered || step.held);
    for (const step of call.steps) {
      if (step.answered) continue;
      const skipped = itemsCame && !result.isError && !result.running && LEAVES_AN_ITEM.test(step.name);
      if (step.announced && !step.held && skipped) {
        // It was shown as the next to run, but the script did not reach it.
        answer(step, { output: '', isError: false, interrupted: true }, place);
      } else if (step.held)
        answer(
          step,
          call.isScript ? joined(step.held, result) : withSize(asGiven(step.held, result, step), result),
          place,
        );
      else if (step.announced) answer(step, result, place);
      else if (!result.isError && !LEAVES_AN_ITEM.test(step.name)) {
        emitCall(step, undefined, place);
        answer(step, result, place);
      }
    }
    calls.finish(call.id, conversation.place.at);
  };

  const jobEnded = (id: string, output: string, { exitCode, key }: { exitCode?: number; key?: string }): void => {
    const lastLine = output.trimEnd().split('\n').at(-1);
    const how = {
      ...(key !== undefined && { key }),
      ...(exitCode !== undefined && { exitCode }),
      ...(lastLine && { lastLine }),
    };
    conversation.emit({ type: 'job_end', id, ...how });
  };

  const steps: CodexSteps = {
    call(call) {
      let id = call.id;
      if (id === undefined) {
        id = `${call.name}@${conversation.place.source.offset}`;
        if (call.result === undefined) nameless.push(id);
      }
      if (calls.has(id, conversation.place.at)) return conversation.emit({ type: 'other', name: 'repeated call' });
      const own = id;
      // A provider may use an id again: its calls are another batch.
      const group = calls.isDone(id) ? `${id}@${conversation.place.source.offset}` : id;
      const issued = (batch ??= group);
      const written: readonly InnerStep[] = call.inner ?? [{ name: call.name, args: call.args, literal: true }];
      const made = written.map(
        (step, index): Step => ({
          // Field by field: the calls come in several shapes, and spreading those costs as much as everything else here.
          name: step.name,
          args: step.args,
          literal: step.literal,
          id: index === 0 ? own : `${own}#${index + 1}`,
          session: conversation.session,
          batch: written.length > 1 ? group : issued,
          announced: false,
          answered: false,
        }),
      );
      const entry = { id, group, steps: made, isScript: call.inner !== undefined };
      calls.start(id, entry, conversation.place.at);
      const first = made[0];
      if (first) emitCall(first, call.malformed);
      if (call.result !== undefined && first) {
        answer(first, { output: asString(call.result) ?? '', isError: call.result === 'failed' });
        calls.finish(id, conversation.place.at);
        return;
      }
      const held = calls.heldFor(id);
      if (held) finish(entry, readOutput(held.value), held.place);
    },

    output(given, value) {
      const id = given ?? nameless.shift();
      batch = null;
      if (id === undefined) return conversation.emit({ type: 'other', name: 'result without a call' });
      const call = calls.get(id);
      if (!call) {
        const repeated = calls.isDone(id);
        if (!repeated) calls.hold(id, { value, place: conversation.place });
        return conversation.emit({ type: 'other', name: repeated ? 'repeated result' : 'result before its call' });
      }
      finish(call, readOutput(value));
    },

    item(item) {
      const own = calls.get(item.id);
      if (own && !own.isScript && own.steps[0]) {
        own.steps[0].held = item.result;
        own.steps[0].isTool = item.kind === 'tool';
        return conversation.emit({ type: 'other', name: 'what ran' });
      }
      const found = scriptStep(calls.running, item);
      if (found) {
        const { call, step } = found;
        if (!step.announced) emitCall(step);
        if (call.steps.filter((one) => !one.answered && !one.held).length <= 1) {
          step.held = item.result;
          return conversation.emit({ type: 'other', name: 'what ran' });
        }
        answer(step, item.result);
        const next = call.steps.find((one) => !one.answered && !one.held);
        if (next && !next.announced && next.literal) emitCall(next);
        return;
      }
      const script = newest(calls.running);
      // A command that continues in the background ends long after its call was answered. What a script left is known only by its process.
      const ended = calls.isDone(item.id) ? item.id : script ? undefined : left.get(item.process ?? '');
      if (item.kind === 'command' && ended !== undefined) return jobEnded(ended, item.result.output, item.result);
      if (!script || calls.isDone(item.id)) return conversation.emit({ type: 'other', name: 'what ran' });
      calls.skip(item.id, conversation.place.at);
      const step: Step = {
        id: `${script.id}+${++extra}`,
        name: item.name,
        args: item.args,
        literal: true,
        session: conversation.session,
        batch: script.group,
        announced: false,
        answered: false,
      };
      emitCall(step);
      answer(step, item.result);
    },

    spawned: (id, thread) => {
      putNewest(threads, id, thread, LIMITS.early);
      conversation.emit({ type: 'other', name: 'sub-agent' });
    },

    childEnded(thread, said) {
      const id = left.get(thread);
      if (id === undefined) return conversation.emit({ type: 'other', name: 'sub-agent' });
      jobEnded(id, said ?? '', { key: thread });
    },

    turnEnded() {
      batch = null;
      nameless = [];
      // Answers to interrupted calls may still come; scripts give none.
      for (const call of calls.running) if (call.isScript) calls.finish(call.id, conversation.place.at);
    },
  };
  return steps;
}

/** Inner calls that leave an item when they have run. For all others, only the script's output shows that they ran. */
const LEAVES_AN_ITEM = /^(?:exec_command|shell|shell_command|local_shell|apply_patch|exec|mcp__.*)$/;

/** Returns the step of an open script that an item belongs to: the one with the same call, else one whose arguments the script computed. */
function scriptStep(calls: Iterable<OpenCall>, item: RanItem): { call: OpenCall; step: Step } | undefined {
  let computed: { call: OpenCall; step: Step } | undefined;
  for (const call of calls) {
    if (!call.isScript) continue;
    for (const step of call.steps) {
      if (step.answered || step.held) continue;
      if (step.literal && reads(step, item)) return { call, step };
      if (!step.literal) computed ??= { call, step };
    }
  }
  return computed;
}

function reads(step: Step, item: RanItem): boolean {
  const args = asRecord(step.args);
  switch (item.kind) {
    case 'command': {
      const command = args?.['cmd'] ?? args?.['command'];
      return command !== undefined && shellLineOf(command) === item.command;
    }
    case 'patch':
      return step.name === 'apply_patch';
    case 'tool':
      return step.name === item.name || item.name.endsWith(`__${step.name}`);
  }
}

function newest(calls: Iterable<OpenCall>): OpenCall | undefined {
  let last: OpenCall | undefined;
  for (const call of calls) if (call.isScript) last = call;
  return last;
}

/**
 * Returns the result as the model received it. The item of a server's tool holds images as text, while the output only names them. A command's item
 * holds what the output has lost.
 */
function asGiven(held: ToolResult, { output }: ToolResult, { isTool }: Step): ToolResult {
  return isTool && !held.isError && output !== '' ? { ...held, output } : held;
}

/** Adds the original size to a result: the item has the whole text, but only the output states its size. */
function withSize(held: ToolResult, output: ToolResult): ToolResult {
  const size = output.size ?? sizeOf(held.output, undefined);
  return { ...held, ...(size !== undefined && size > held.output.length && { size }) };
}

/** Adds the error of a script that failed after its last call: the model received it. */
function joined(held: ToolResult, output: ToolResult): ToolResult {
  const whole = withSize(held, output);
  if (!output.isError || held.isError || output.exitCode !== undefined) return whole;
  return { ...whole, isError: true, output: `${held.output}\n${output.output}` };
}

function describe(name: string, args: unknown, cwd: string | undefined): CallDescription {
  if (name === 'write_stdin' && !isPoll(name, args)) {
    return { kind: 'ran', subject: oneLine(`Type ${JSON.stringify(asText(asRecord(args)?.['chars']) ?? '')}`) };
  }
  const described = describeCall(name, args, { table: TOOLS, cwd });
  const task = SPAWN.test(name) ? taskOf(args) : undefined;
  return task === undefined ? described : { ...described, subject: oneLine(task) };
}

/** Returns the name of a sub-agent's task: in the second form of the tool it has a name, and the message is encrypted. */
function taskOf(args: unknown): string | undefined {
  const record = asRecord(args);
  return asText(record?.['task_name']) ?? asText(record?.['message']);
}
