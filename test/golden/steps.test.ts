import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SessionContext } from '../../src/detect/session/context';
import type { Step } from '../../src/detect/steps/step';
import { createStepBuilder } from '../../src/detect/steps/step-builder';
import { createStepAssembler } from '../../src/detect/steps/steps';
import type { AgentEvent } from '../../src/core/model';
import { draw } from '../stories/drawing';
import { Tale } from './tale';

/**
 * The facts about each step of made-up runs: its call and outcome, its weight, whether it counts, what it changed. `steps.txt` holds them: read the
 * difference before you commit it.
 */
const golden = join(__dirname, 'steps.txt');
const UPDATES = process.env['UPDATE_GOLDEN'] !== undefined;

const RUNS: Readonly<Record<string, string | ((tale: Tale) => Tale)>> = {
  'calls and what they say':
    'R a.py · R a.py · E a.py · R a.py · B "ls" ok:a · B "ls" ok:"a 12:30:01" · B "ls" ok:"a 12:30:09" · G a ok:b · M other ok:b · R b.py',
  'exempt steps, which neither count nor break a row':
    'P · Q · I make · B make fail:no_rule · [ · R a · R a · R b · ] · [ · R a · R a · ] · [ · B ls ok:a · B ls ok:b · ] · R a',
  'checks that fail, pass, and pass again':
    'B "pytest -q" fail:"E   assert -6 == 6%lFAILED t.py::test_a - assert -6 == 6%lFAILED t.py::test_b - boom%l2 failed in 0.1s" · E a.py · B "pytest -q" ok:"3 passed in 0.1s" · B "pytest -q" ok:"3 passed in 0.1s" · E a.py · B "pytest -q" ok:"3 passed in 0.1s" · B "pytest -x" fail:"1 failed" · B "pytest -v" ok:"3 passed" · B "npm run lint" ok:"whatever" · B "make" fail:broke · B "make" ok:built · B "python x.py" ok:"Traceback (most recent call last)%lValueError: no"',
  'failures and what they are about':
    'B "python a.py" fail:"error: no" · B "python b.py" fail:"error: no" · M tool {"a":1} fail:"error: no" · V · B "grep x y" fail:"" · B "cat z" fail:"cat: z: No such file" · R f fail · (R g%n) x22 · B "python a.py" ok:1 · B "python c.py" ok:2 · B "python d.py" ok:3',
  'services that start, and waits':
    'B "npm start &" ok:started · B "curl localhost:3000" fail:"Connection refused" · (R f%n) x10 · B "curl localhost:3000" fail:"Connection refused" · B "curl localhost:3000" fail:"Connection refused" · W still · B "sleep 30" · B "tail -f x.log" ok:a',
  'commits, plans and changes':
    'B "git commit -m x" ok:"[main 0a1b2c3] x" · B "git commit -m x" ok:"[main 0a1b2c3] x" · B "git commit -m y" ok:"nothing to commit" · B "mkdir a" · B "sed -i s/a/b/ x.py" · B "echo a > b" · E a.py =x · E a.py =x · E b.py long:"no changes were made" · T',
  'with whatever a record says besides': (to) =>
    to
      .line('session_info', { cwd: '/w' })
      .used({ totalTokens: 70 })
      .start('Bash', 'ran', '', { command: './serve', args: { command: './serve' } })
      .answer('runs', { running: true })
      .run('./serve', 'runs', { result: { running: true } })
      .run('curl -s localhost:80', 'Connection refused', { result: { isError: true, exitCode: 7 } })
      .start('Bash', 'ran', 'rm a', { command: 'rm a' })
      .answer('no', { denied: 'user', isError: true })
      .start('Bash', 'ran', 'rm a', { command: 'rm a' })
      .answer('Unstuck holds it. [unstuck 01JD]', { denied: 'hook', isError: true })
      .start('Bash', 'ran', 'rm b', { command: 'rm b' })
      .answer('a hook says no', { denied: 'hook', isError: true })
      .run('git log', 'x', { call: { kind: 'looked' } })
      .run('tail -5 a.log', 'x', { call: { kind: 'looked' } })
      .run('./convert', 'y', { call: { kind: 'changed' } })
      .run('cat > run.py <<E\nprint(1)\nE\npython run.py', 'z')
      .tool('red', {}, 'no such tool', {
        result: { isError: true, validation: { kind: 'unknown_tool', error: 'no red' } },
      })
      .fail('make', 'broke', { result: { outcome: 'unknown' } })
      .tool('look', {}, '[image]')
      .tool('look', {}, '12:30:01')
      .start('wait_agent', 'waited', 'wait', { args: { timeout_ms: 9_000 } })
      .answer('still')
      .run(`cat big.log`, `${'a line of it\n'.repeat(400)}done in 0.1s`)
      .run(`cat big.log`, `${'a line of it\n'.repeat(400)}done in 9.9s`)
      .show(`cat big.log`, `${'a line of it\n'.repeat(400)}done in 7.9s`)
      .run('python crash.py', 'Traceback (most recent call last)\nKeyError: 3', {
        result: { exitCode: undefined } as never,
      }),
  'one long refusal of an editing tool, whatever it is given': (to) =>
    to.times(6, (one, n) =>
      one
        .start('edit_file', 'changed', `Edit f${n}.ts`, {
          target: `f${n}.ts`,
          args: { path: `f${n}.ts`, text: `text ${n} of it` },
        })
        .answer(
          `The text was looked for in the file and is not there as it was given, so that nothing could be done. Give it as it stands in the file, with all of its spaces, and try it once more. ${'Read it first. '.repeat(10)}`,
        ),
    ),
  'results that come early, late, or never': (to) =>
    to
      .line('tool_result', { id: 'e', output: 'early', isError: false })
      .line('tool_call', { id: 'e', name: 'a', args: {}, kind: 'other', subject: 'a' })
      .line('tool_call', { id: 'f', name: 'b', args: {}, kind: 'other', subject: 'b', batch: 'x' })
      .line('tool_call', { id: 'g', name: 'c', args: {}, kind: 'other', subject: 'c', batch: 'x' })
      .line('tool_result', { id: 'g', output: 'of c', isError: false })
      .line('tool_call', { id: 'h', name: 'd', args: {}, kind: 'other', subject: 'd', batch: 'x' })
      .say('On.')
      .line('tool_result', { id: 'f', output: 'of b', isError: false })
      .line('tool_result', { id: 'h', output: 'of d', isError: false, outcome: 'late' })
      .line('tool_call', { id: 'i', name: 'e', args: {}, kind: 'other', subject: 'e' })
      .line('turn_end', { reason: 'done' })
      .line('tool_result', { id: 'i', output: 'of e', isError: false })
      .line('tool_call', { id: 'i', name: 'f', args: {}, kind: 'other', subject: 'f' })
      .line('session_end', { reason: 'clean' })
      .line('tool_result', { id: 'i', output: 'of f', isError: false }),
};

/** Numbers that are only compared, as letters in the order in which they first appear. */
class Letters {
  private readonly known = new Map<number, number>();

  constructor(private readonly sign: string) {}

  of(number: number): string {
    if (number === 0) return '';
    const place = this.known.get(number) ?? this.known.size;
    this.known.set(number, place);
    return `${this.sign}${place}`;
  }
}

function stepsOf(events: readonly AgentEvent[]): string {
  const letters = Object.fromEntries(
    ['call', 'says', 'program', 'target', 'error', 'effect', 'file', 'message'].map((name) => [
      name,
      new Letters(name),
    ]),
  );
  const letter = (name: string, number: number): string => letters[name]?.of(number) ?? '';
  const assembler = createStepAssembler();
  const builder = createStepBuilder();
  const context = new SessionContext('generic', true, assembler.pending, () => builder.samples.text(), 'some');
  const lines: string[] = [];
  const line = (step: Step): string => {
    const marks = [
      step.kind,
      step.weight,
      letter('call', step.signature),
      `${letter('says', step.outcome)}×${step.occurrence}`,
      letter('program', step.program),
      letter('target', step.target),
      letter('error', step.error),
      letter('effect', step.effect),
      letter('file', step.file),
      letter('message', step.message),
      step.failing >= 0 ? `failing ${step.failing}` : '',
      step.requestedWait > 0 ? `asked ${step.requestedWait}` : '',
      step.tokens > 0 ? `tokens ${step.tokens}` : '',
      step.values.length > 0 ? `values ${step.values.join(' ')}` : '',
      step.progress ? `progress ${step.progress.kind} “${step.progress.text}” :${step.progress.source.line}` : '',
      step.exemption ?? '',
      ...(
        [
          'failed',
          'crashed',
          'check',
          'isNew',
          'counted',
          'changes',
          'changed',
          'movesHead',
          'starts',
          'editsFirst',
          'malformed',
          'misused',
        ] as const
      ).filter((name) => step[name]),
    ];
    const place = `${step.index} :${step.source.line}-${step.end.line}`;
    return `${place} ${step.tool} “${step.subject}” “${step.text}” ${marks.filter((mark) => mark !== '').join(' ')}`;
  };
  for (const event of events) {
    context.take(event);
    assembler.push(event, (call, result, message, isReminded) => {
      const { cwd, totalTokens: tokens, prompts, prompt, stepsAtPrompt, stepCount } = context;
      const isAsked = prompt.asksAgain && stepsAtPrompt === stepCount;
      const step = builder.build(call, result, {
        cwd,
        tokens,
        message,
        prompts,
        isAsked,
        isReminded,
        stepsAtSchedule: null,
      });
      lines.push(line(step));
      context.steps.add(step);
    });
  }
  if (assembler.pending.length > 0) lines.push(`runs: ${assembler.pending.map(({ subject }) => subject).join(', ')}`);
  return lines.join('\n');
}

const textOf = (run: string | ((tale: Tale) => Tale)): string =>
  stepsOf(typeof run === 'string' ? draw(run) : run(new Tale()).events);

describe('what is known about the steps of a run', () => {
  const kept = UPDATES ? '' : readFileSync(golden, 'utf8');

  test.skipIf(UPDATES).each(Object.entries(RUNS))('%s', (title, run) => {
    const text = `## ${title}\n\n${textOf(run)}\n`;
    expect(text).toBe(kept.slice(kept.indexOf(`## ${title}\n`)).slice(0, text.length));
  });

  test('is the same as before, for these runs and no others', () => {
    const titles = Object.keys(RUNS);
    if (UPDATES)
      writeFileSync(
        golden,
        Object.entries(RUNS)
          .map(([title, run]) => `## ${title}\n\n${textOf(run)}\n`)
          .join('\n'),
      );
    else expect([...kept.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(titles);
  });
});
