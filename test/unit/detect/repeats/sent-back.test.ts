import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/core/model';
import { run } from '../support/run';
import type { Script } from '../support/script';
import { begin, edit, saidBy } from './telling';

const sentBack = (run: Script): string[] => saidBy(run, 'monologue', 'sent_back');
const HOOK = 'Stop hook feedback: the checklist is not complete.';
let answers = 0;
/** The agent says something else, its turn ends, and a hook sends it back. */
const turn = (run: Script, text = HOOK): Script =>
  run
    .say(`Part ${++answers} is done as far as I can see it here, and I have nothing to add to the list.`)
    .turnEnd()
    .user(text, true);

describe('an agent that is sent back with the same text again and again', () => {
  it('three times warn, five are stuck, whatever it answers', () => {
    expect(sentBack(begin().times(2, (run) => turn(run)))).toEqual([]);
    expect(sentBack(begin().times(3, (run) => turn(run)))).toEqual(['warn 3']);
    expect(sentBack(begin().times(5, (run) => turn(run)))).toEqual(['warn 3', 'warn 4', 'stuck 5']);
  });

  it('is reported by what sends it', () => {
    const last = begin()
      .times(5, (run) => turn(run))
      .run()
      .findings.findLast(({ rule }) => rule === 'sent_back');
    expect(last?.why).toContain(HOOK);
  });

  it('looks that say nothing new do not end it', () => {
    const run = begin().times(5, (one) =>
      turn(one.call('read_file', { path: 'list.md' }, { output: '[x] all of it' })),
    );
    expect(sentBack(run).at(-1)).toMatch(/^(?:stuck|warn)/);
  });

  it('is one incident, without a monologue in addition', () => {
    const said = begin()
      .times(6, (run) => run.say('I wait for the others.').turnEnd().user('Please go on with the task.', true))
      .run()
      .incidents.filter(({ first }) => first.detector === 'monologue');
    expect(said).toHaveLength(1);
  });

  it.each([
    'Stop hook blocked 8 consecutive times: giving up.',
    'Blocked three times in a row: giving up. It was blocked three times.',
    'Only 3 reflections allowed, stopping.',
  ])('is stuck at once if the harness itself gave up: %s', (text) => {
    expect(sentBack(turn(begin(), text))).toEqual(['stuck 1']);
  });

  it('twin: a step in between says something new', () => {
    expect(sentBack(begin().times(8, (run, n) => turn(run.bash(`./part.sh ${n}`))))).toEqual([]);
  });

  it('twin: another text each time', () => {
    expect(sentBack(begin().times(8, (run, n) => turn(run, `Stop hook: ${'abcdefgh'[n]} is missing.`)))).toEqual([]);
  });

  it('twin: a schedule that comes later each time', () => {
    const later = begin().times(8, (run) => run.say('Nothing new.').turnEnd().wait(300).user('Check the build.', true));
    expect(sentBack(later)).toEqual([]);
  });

  it('twin: our own message', () => {
    const own = 'Take a concrete action. [unstuck 01JD0000000000000000000000]';
    expect(sentBack(begin().times(8, (run) => turn(run, own)))).toEqual([]);
  });

  it('ends at a prompt that adds something', () => {
    const run = begin().times(4, (one) => turn(one));
    edit(run.user('The checklist is in docs/list.md.'));
    const [alert] = run.run().incidents.filter(({ last }) => last.rule === 'sent_back');
    expect(alert?.cleared?.reason).toBe('user_message');
  });
});

describe('an agent that says the same each time, and a hook that sends it back', () => {
  const GATE = { name: './gate.sh', cap: 9 };
  /** The same run, with the text coming from the person's own hook instead of a program. */
  const byHook = (drawn: Script): AgentEvent[] =>
    drawn.events().map((event) => (event.type === 'user' && event.automated ? { ...event, hook: GATE } : event));
  const told = (drawn: Script): string[] =>
    run(byHook(drawn)).incidents.map(({ name, last, cleared }) => `${last.level} ${name}${cleared ? ', cleared' : ''}`);
  const same = (drawn: Script, text = HOOK): Script =>
    drawn.say('All tests pass, the work is done.').turnEnd().user(text, true);

  it('is reported by the hook, which its person can repair', () => {
    const drawn = begin().times(6, (one) => same(one));
    expect(told(drawn)).toEqual(['stuck monologue/sent_back']);
    expect(run(byHook(drawn)).incidents[0]?.last).toMatchObject({ subject: './gate.sh', count: 6 });
  });

  it('passes to the hook if the words came first', () => {
    const drawn = same(begin())
      .times(3, (one) => one.say('All tests pass, the work is done.').turnEnd().user('continue'))
      .times(5, (one) => same(one));
    expect(told(drawn)).toEqual(['stuck monologue, cleared', 'stuck monologue/sent_back']);
  });

  it('twin: a hook that demands something else each time: the words repeat, not the hook', () => {
    const drawn = begin().times(6, (one, n) => same(one, `Stop hook feedback: ${'abcdefgh'[n]}.ts has no test.`));
    expect(told(drawn)).toEqual([]);
  });

  it('twin: sent back once, it repeats itself within one turn', () => {
    const drawn = same(begin()).times(4, (one) => void one.say('All tests pass, the work is done.'));
    expect(told(drawn)).toEqual(['stuck monologue']);
  });
});
