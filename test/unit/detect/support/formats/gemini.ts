import { gemini } from '../../../../../src/agents/gemini/adapter';
import { SESSION, each, type Format } from './acts';

export const GEMINI_TOOLS: Readonly<Record<string, string>> = {
  bash: 'run_shell_command',
  read: 'read_file',
  edit: 'replace',
  write: 'write_file',
};

export const geminiFormat: Format = {
  name: 'gemini-cli',
  adapter: gemini,
  lacks: new Set(['compact', 'use', 'refused', 'claim', 'feedback', 'wait']),
  records: each(
    (act, call, t, n) => {
      const said = (fields: object) => ({ id: `m${n}`, timestamp: t, type: 'gemini', content: '', ...fields });
      const calls = (
        name: string | undefined,
        args: object,
        output: string,
        fails: boolean,
        id: string,
        status = 'success',
      ) =>
        said({
          toolCalls: [
            {
              id,
              name,
              args,
              status,
              timestamp: t,
              result: [
                {
                  functionResponse: {
                    id,
                    name,
                    response: fails && status === 'error' ? { error: output } : { output },
                  },
                },
              ],
            },
          ],
        });
      if (call)
        return [
          calls(
            GEMINI_TOOLS[call.tool],
            call.args,
            call.tool === 'bash' ? `Output: ${call.output}\nExit Code: ${call.fails ? 1 : 0}` : call.output,
            call.fails,
            call.id,
          ),
        ];
      switch (act.does) {
        case 'say':
          return [said({ content: act.text })];
        case 'prompt':
          return [{ id: `m${n}`, timestamp: t, type: 'user', content: [{ text: act.text }] }];
        case 'unknown tool':
          return [calls(act.name, {}, `Tool "${act.name}" not found in registry.`, true, `bad_${n}`, 'error')];
        default:
          return [];
      }
    },
    (t) => [{ sessionId: SESSION, projectHash: 'e0c4', startTime: t, lastUpdated: t, kind: 'main' }],
  ),
};
