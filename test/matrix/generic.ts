import type { Format } from './transcript';

const line = (at: number, type: string, fields: object = {}): object => ({
  v: 1,
  t: at,
  session: 'main',
  type,
  ...fields,
});

/** The generic transcript. */
export const genericFormat: Format = {
  name: 'generic',
  knowsCopies: false,
  head: (at) => [line(at, 'session_start', { cwd: '/home/dev/project' })],
  call: ({ tool, args }, id, message, at) => [
    line(at, 'tool_call', { id, name: tool, args, ...(message !== '' && { batch: message }) }),
  ],
  result: ({ output, failed, code }, id, at) => [
    line(at, 'tool_result', {
      id,
      output,
      ...(failed && { isError: true }),
      ...(code !== undefined && { exitCode: code }),
    }),
  ],
  act(act, id, _, at) {
    switch (act.does) {
      case 'prompt':
        return [line(at, 'user', { text: act.text })];
      case 'feedback':
        return [line(at, 'user', { text: act.text, automated: true })];
      case 'text':
        return [line(at, 'assistant', { text: act.text })];
      case 'error':
        return [line(at, 'error', { kind: 'api', message: act.text })];
      case 'compaction':
        return [line(at, 'compaction', { trigger: 'auto' })];
      case 'interruption':
        return [line(at, 'turn_end', { reason: 'interrupted' })];
      case 'turn end':
        return [line(at, 'turn_end', { reason: 'done' })];
      case 'claim':
        return [line(at, 'completion', { claim: 'TASK_COMPLETE' })];
      case 'sub-agent': {
        const session = { session: 'sub', id: `sub_${id}` };
        return [
          line(at, 'tool_call', { ...session, name: 'Read', args: { file_path: `lib/part${id}.ts` } }),
          line(at, 'tool_result', { ...session, output: `This is part ${id}.` }),
        ];
      }
    }
  },
};
