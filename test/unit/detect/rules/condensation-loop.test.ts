import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import type { AgentEvent } from '../../../../src/core/model';
import { realIncidents } from '../support/real';
import { run as runEvents } from '../support/run';
import { type Script, script } from '../support/script';

const FAILURE = 'build.py: error: cannot open config/app.yml';
const compacted = (run: Script, trigger = 'auto'): Script => run.line('compaction', { trigger });

describe('condensation_loop: back to what failed', () => {
  it('warns when the same failure is back after the context was condensed, and is stuck at the second time', () => {
    const run = compacted(script().user('Build it.').bash('build', FAILURE).bash('build', FAILURE));
    const [alert] = run.bash('build', FAILURE).bash('build', FAILURE).incidentsOf('condensation_loop');
    expect([alert?.warnLine, alert?.stuckLine]).toEqual([8, 10]);
    expect(alert?.last).toMatchObject({
      reason: 'condensation_loop',
      certainty: 'counted',
      count: 2,
      subject: 'build',
    });
    expect(alert?.last.why).toBe(
      'The context was compacted, and the agent went straight back to `build`, which failed 2 times before. Since then it failed the same way 2 times.',
    );
    expect(alert?.last.evidence.map((row) => row.role)).toEqual(['first', 'between', 'repeat', 'repeat']);
  });

  it('reports nothing when it looks around first, changes something, and then tries', () => {
    const run = compacted(script().user('Build it.').bash('build', FAILURE).bash('build', FAILURE))
      .call('edit', { path: 'app.yml', content: 'a: 1' }, { output: 'edited app.yml' })
      .bash('build', FAILURE)
      .bash('build', FAILURE);
    expect(run.incidentsOf('condensation_loop')).toEqual([]);
  });

  it('reports nothing for another failure, or for the same one long after', () => {
    const other = compacted(script().user('Build it.').bash('build', FAILURE)).bash('build', 'another error');
    expect(other.incidentsOf('condensation_loop')).toEqual([]);
    const late = compacted(script().user('Build it.').bash('build', FAILURE))
      .times(21, (run, index) => run.bash(`cat ${index}`))
      .bash('build', FAILURE);
    expect(late.incidentsOf('condensation_loop')).toEqual([]);
  });

  //  build ✗ │ build ✗   cat cat cat … 60 steps … cat │ build ✗
  //  compacted, and back once                  compacted
  it('does not add a return to one that was long ago', () => {
    const patient = resolveOptions({ preset: 'patient', detectors: {} });
    const looks = (run: Script): Script => run.times(30, (one, index) => one.bash(`cat ${one.lines.length}-${index}`));
    const once = looks(compacted(script().user('Build it.').bash('build', FAILURE)).bash('build', FAILURE));
    const again = compacted(looks(once)).bash('build', FAILURE);
    expect(again.incidentsOf('condensation_loop', patient)).toEqual([]);
  });

  it.each([
    ['another result of the call', 'different_result', (run: Script) => run.bash('build')],
    ['progress', 'progress', (run: Script) => run.call('edit', { path: 'a', content: 'b' }, { output: 'edited a' })],
    ['not coming back', 'not_back', (run: Script) => run.times(13, (one, index) => one.bash(`cat ${index}`))],
    ['a person', 'user_message', (run: Script) => run.user('Write config/base.yml first.')],
    ['the end', 'session_end', (run: Script) => run.line('session_end')],
  ] as const)('is ended by %s', (_, reason, what) => {
    const run = compacted(script().user('Build it.').bash('build', FAILURE)).bash('build', FAILURE);
    what(run);
    expect(run.incidentsOf('condensation_loop')[0]?.cleared?.reason).toBe(reason);
  });
});

describe('condensation_loop: condensed again and again', () => {
  /** Reads what it read before, and its context is condensed. */
  const reading = (run: Script): Script => compacted(run.bash('sed -n 1,40p price.js'));
  const begun = (): Script => script().user('Fix it.').bash('sed -n 1,40p price.js');

  it('warns at the second compaction with nothing new in between and is stuck at the third', () => {
    const [alert] = begun().times(3, reading).incidentsOf('condensation_loop');
    expect([alert?.warnLine, alert?.stuckLine]).toEqual([9, 12]);
    expect(alert?.last.why).toContain('compacted 3 times in 2 steps');
  });

  it('reports nothing if a step between them said something new', () => {
    const told = begun()
      .times(6, (run, index) => reading(run.bash(`cat part-${index}.js`)))
      .incidentsOf('condensation_loop');
    expect(told).toEqual([]);
  });

  it('is ended by a step that says something new', () => {
    const [alert] = begun().times(3, reading).bash('cat other.js').incidentsOf('condensation_loop');
    expect(alert?.cleared?.reason).toBe('different_result');
  });

  it('reports nothing while there is progress between them, or much work', () => {
    const productive = script()
      .user('Fix it.')
      .times(6, (run, index) => reading(run).call('edit', { path: 'a', content: `${index}` }, { output: 'edited a' }));
    expect(productive.incidentsOf('condensation_loop')).toEqual([]);
    const long = script()
      .user('Read it all.')
      .bash('cat it')
      .times(4, (run) => compacted(run.times(25, (one) => one.bash('cat it'))));
    expect(long.incidentsOf('condensation_loop')).toEqual([]);
  });

  it('does not count what the user asked for, or what a change of the model causes', () => {
    const manual = begun().times(5, (run) => compacted(run.bash('sed -n 1,40p price.js'), 'manual'));
    expect(manual.incidentsOf('condensation_loop')).toEqual([]);
    const model = script()
      .line('session_start', { model: 'small' })
      .user('Fix it.')
      .bash('build', FAILURE)
      .times(4, (run, index) =>
        compacted(run.line('session_start', { model: `model-${index}` })).bash('build', FAILURE),
      );
    expect(model.incidentsOf('condensation_loop')).toEqual([]);
  });

  it('counts two records of one compaction once', () => {
    const run = script()
      .user('Fix it.')
      .events()
      .concat(
        [1, 1, 1].map(
          (at, index): AgentEvent => ({
            type: 'compaction',
            agent: 'generic',
            session: 's',
            at: Date.parse('2026-11-20T10:01:00Z') + at,
            source: { file: '/t', line: 2 + index, offset: 200 + index },
          }),
        ),
      );
    expect(runEvents(run).incidents).toEqual([]);
  });

  it('never fires for one compaction, always for many in a row', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 10 }), fc.integer({ min: 0, max: 5 }), (count, steps) => {
        const work = (run: Script): Script => run.times(steps, (one) => one.bash('cat it')).wait(5);
        const many = script()
          .user('Go.')
          .bash('cat it')
          .times(count, (run) => compacted(work(run)));
        expect(many.incidentsOf('condensation_loop').map((one) => one.last.level)).toEqual(['stuck']);
        const once = work(compacted(work(script().user('Go.'))));
        expect(once.incidentsOf('condensation_loop')).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('follows its settings', () => {
    const run = begun().times(3, reading);
    const [patient] = run.incidentsOf('condensation_loop', resolveOptions({ preset: 'patient', detectors: {} }));
    expect(patient?.first.level).toBe('warn');
    expect(patient?.stuckLine).toBeNull();
    expect(
      run.incidentsOf(
        'condensation_loop',
        resolveOptions({ preset: 'eager', detectors: { condensation_loop: 'off' } }),
      ),
    ).toEqual([]);
  });
});

describe('condensation_loop in real runs', () => {
  it.each([
    ['claude-code/g-autocompact-same-failure.jsonl', [75, 80]],
    ['codex/e_compaction_loop.jsonl', [69, 84]],
    ['codex/e_tokens_one_compaction.jsonl', null],
    ['codex/resume_other_model.jsonl', null],
  ] as const)('%s', (name, lines) => {
    const told = realIncidents(name, 'condensation_loop');
    if (!told) return;
    expect(told[0] ? [told[0].warnLine, told[0].stuckLine] : null).toEqual(lines);
  });
});
