import { type Scenes } from './scene';

export const maxRuntime: Scenes = {
  detectors: ['max_runtime'],
  scenes: {
    'a session that is active for hours': {
      dues: true,
      settings: { max_runtime: { turn: 1000 } },
      budgets: { hours: 1 },
      run: (to) =>
        to
          .user('work')
          .times(8, (one, n) => one.read(`a${n}`).wait(9))
          .line('turn_end', { reason: 'done' })
          .wait(300)
          .user('more')
          .line('clock')
          .read('b')
          .line('session_end', { reason: 'clean' }),
    },
    'time that does not count: questions, sleep, sub-agents': {
      dues: true,
      settings: { max_runtime: { turn: 1000 } },
      budgets: { hours: 0.5 },
      run: (to) =>
        to
          .user('work')
          .wait(8)
          .say('Which one?')
          .line('waiting', { for: 'input' })
          .wait(60)
          .user('the first')
          .wait(70)
          .read('a')
          .start('Task', 'delegated', 'Task look')
          .wait(50)
          .answer('found')
          .wait(9)
          .line('clock')
          .wait(9)
          .read('b')
          .start('Bash', 'ran', 'make', { command: 'make' })
          .wait(15)
          .answer('built')
          .start('Task', 'delegated', 'Task two')
          .start('Bash', 'ran', 'make again', { command: 'make' })
          .wait(16)
          .line('clock')
          .wait(2)
          .say('Hm.'),
    },
    'a turn without progress, and after progress': {
      settings: { max_runtime: { turn: 20 } },
      run: (to) =>
        to
          .line('turn_start')
          .times(3, (one, n) => one.show(`cat a${n}`, `text ${n}`).wait(6))
          .show('cat b', 'text b')
          .wait(6)
          .show('cat c', 'text c')
          .edit('a.ts')
          .times(5, (one, n) => one.show(`cat d${n}`, `more ${n}`).wait(8))
          .line('turn_end', { reason: 'done' }),
    },
    'a finished plan item is progress, but not of the first plan that is seen': {
      settings: { max_runtime: { turn: 10 } },
      run: (to) => {
        const item = (id: string, status: string) => ({ id, title: `item ${id}`, status });
        return to
          .user('go')
          .times(4, (one, n) => one.show(`cat a${n}`, `text ${n}`).wait(2))
          .line('plan', { items: [item('a', 'completed'), item('b', 'pending')] })
          .show('cat b', 'text b')
          .wait(2)
          .show('cat c', 'text c')
          .line('plan', { items: [item('a', 'completed'), item('b', 'in_progress')] })
          .line('plan', { items: [item('a', 'completed'), item('b', 'completed')] })
          .times(6, (one, n) => one.show(`cat d${n}`, `more ${n}`).wait(2))
          .line('plan', { items: [item('b', 'completed')] })
          .line('session_end', { reason: 'clean' });
      },
    },
    'a turn that only waits has no time': {
      settings: { max_runtime: { turn: 20 } },
      run: (to) =>
        to
          .user('go')
          .times(4, (one, n) => one.start('write_stdin', 'waited', 'wait').wait(9).answer(`line ${n}`).wait(1))
          .times(4, (one, n) => one.show(`cat a${n}`, `text ${n}`).wait(5))
          .told('the build is done')
          .times(2, (one, n) => one.show(`cat b${n}`, `text b ${n}`).wait(5))
          .user('stop')
          .line('session_end', { reason: 'clean' }),
    },
    'a session that is read from its middle': {
      settings: { max_runtime: { turn: 10 } },
      run: (to) =>
        to.times(4, (one, n) => one.run(`do ${n}`, `did ${n}`).wait(4)).line('session_end', { reason: 'clean' }),
    },
    'a turn of calls that show neither edits nor commands': {
      settings: { max_runtime: { turn: 10 } },
      run: (to) =>
        to
          .user('go')
          .times(5, (one, n) => one.tool('ask', { n }, `answer ${n}`).wait(5))
          .edit('a', {}, { result: { isError: true } })
          .tool('ask', {}, 'and this')
          .wait(5)
          .tool('ask', {}, 'and that'),
    },
    'a wait that its answer does not show, and a gap within one': {
      dues: true,
      settings: { max_runtime: { turn: 12 } },
      budgets: { hours: 5 / 3 },
      run: (to) =>
        to
          .user('go')
          .run('a')
          .start('write_stdin', 'waited', 'wait')
          .answer('still')
          .wait(9)
          .line('usage', { cost: 0.1 })
          .wait(2)
          .line('clock')
          .wait(30)
          .line('clock')
          .say('On.')
          .wait(4)
          .run('b')
          .wait(4)
          .line('turn_start')
          .run('c')
          .run('d')
          .wait(4)
          .run('e')
          .told('go on')
          .wait(8.5)
          .run('f')
          .wait(21)
          .run('g'),
    },
    'limits on calls, tokens and cost': {
      budgets: { calls: 3, tokens: 1000, cost: 0.5 },
      run: (to) =>
        to
          .user('go')
          .used({ cost: 0.2, totalTokens: 400 })
          .run('a')
          .run('b')
          .used({ cost: 0.3, totalTokens: 999 })
          .run('c')
          .used({ totalTokens: 1000 })
          .run('d')
          .line('session_end', { reason: 'clean' }),
    },
  },
};
