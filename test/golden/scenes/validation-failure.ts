import { type Scenes } from './scene';

const validation = (kind: string, error: string, more: object = {}) => ({
  result: { isError: true, validation: { kind, error, ...more } as never },
});
const SCHEMA = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const TOOLS = [
  { name: 'read', schema: SCHEMA },
  { name: 'write', schema: SCHEMA },
];

export const validationFailure: Scenes = {
  detectors: ['validation_failure'],
  scenes: {
    'one kind after the other, until a call is well-formed': {
      run: (to) =>
        to
          .used({ totalTokens: 100 })
          .tool('red', {}, 'no', validation('unknown_tool', 'no tool named red', { expected: 'read' }))
          .used({ totalTokens: 250 })
          .tool(
            'read',
            {},
            'no',
            validation('invalid_arguments', 'path is missing.', { expected: 'path', received: 'nothing' }),
          )
          .tool('read', {}, 'no', validation('truncated', 'cut off'))
          .tool('read', {}, 'no', validation('unparsable', 'not JSON'))
          .run('ls')
          .tool('read', { path: 'a' }, 'text of a'),
    },
    'arguments that cannot be read, with and without an answer': {
      run: (to) =>
        to
          .fail('ls', 'arguments are not JSON', { call: { malformed: 'Unexpected end of JSON' } })
          .start('Bash', 'ran', 'Bash', { malformed: 'no JSON' })
          .say('Again.')
          .start('Bash', 'ran', 'Bash two', { malformed: 'no JSON either' })
          .start('Bash', 'ran', 'Bash three', { malformed: 'nor this' })
          .line('turn_end', { reason: 'error' })
          .start('Bash', 'ran', 'Bash four', { malformed: 'the last' })
          .line('session_end', { reason: 'clean' }),
    },
    'texts in the wrong format, then a good one': {
      run: (to) =>
        to
          .fault('validation', 'no action in the answer')
          .say('I think that it is done.')
          .fault('validation', 'no action in the answer.')
          .say('Still.')
          .fault('validation', 'no action')
          .say('Or so.')
          .fault('validation', 'no action in it')
          .say('Here is the plan.')
          .line('turn_end', { reason: 'done' }),
    },
    'texts in the wrong format and an unknown tool': {
      run: (to) =>
        to
          .say('Well.')
          .fault('validation', 'no action')
          .tool('red', {}, 'no', validation('unknown_tool', 'no red'))
          .say('So.')
          .fault('validation', 'no action again')
          .fault('other', 'the network')
          .user('Please go on with sum.ts now.'),
    },
    'an error behind a malformed call speaks of that call': {
      run: (to) =>
        to
          .tool('red', {}, 'no', validation('unknown_tool', 'no red'))
          .fault('validation', 'malformed call')
          .fault('validation', 'and the text')
          .start('Bash', 'ran', 'Bash', { malformed: 'no JSON' })
          .fault('validation', 'arguments are no JSON')
          .told('go on')
          .line('session_end', { reason: 'clean' }),
    },
    'the first message counts once, each call of the others': {
      run: (to) =>
        to
          .start('red', 'other', 'red', { batch: 'a' })
          .answer('no', validation('unknown_tool', 'no red').result)
          .start('blue', 'other', 'blue', { batch: 'a' })
          .answer('no', validation('unknown_tool', 'no blue').result)
          .start('green', 'other', 'green', { batch: 'b' })
          .answer('no', validation('unknown_tool', 'no green').result)
          .start('grey', 'other', 'grey')
          .answer('no', validation('unknown_tool', 'no grey').result),
    },
    'by the tools that the session may call': {
      run: (to) =>
        to
          .line('session_info', { tools: TOOLS })
          .tool('raed', { path: 'a' }, 'failed', { result: { isError: true } })
          .tool('read', { file: 'a' }, 'failed', { result: { isError: true } })
          .tool('write', { path: 3 }, 'failed', { result: { isError: true } })
          .tool('read', { path: 'a' }, 'no such file', { result: { isError: true } }),
    },
    'claims that carry broken JSON': {
      run: (to) =>
        to
          .line('completion', { claim: 'TASK_COMPLETE {"summary": "do' })
          .line('completion', { claim: '  [1, 2' })
          .line('completion', { claim: 'DONE: {"a": 1}' })
          .line('completion', { claim: 'All is done {"a"' })
          .line('completion', { claim: `TASK_COMPLETE {"${'x'.repeat(20_000)}` })
          .line('completion', { claim: 'TASK_COMPLETE' })
          .line('completion', { claim: 'RESULT {broken' }),
    },
    'with limits of its own': {
      settings: { validation_failure: { warn: 1, stuck: 2 } },
      run: (to) =>
        to
          .say('Well.')
          .fault('validation', 'x'.repeat(3000))
          .say('So.')
          .fault('validation', 'no action')
          .run('./build.sh')
          .tool('red', {}, 'no', validation('format', 'wrong shape', { received: 'text' }))
          .tool('red', {}, 'no', validation('invalid_completion', 'cannot be read', { expected: 'a list' })),
    },
  },
};
