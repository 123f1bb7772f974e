import { existsSync, chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** Grok Build without a terminal, with a model of the user's own. */
export const grokBuild = {
  id: 'grok-build',
  name: 'Grok Build',
  package: `@xai-official/grok-${process.platform}-${process.arch}`,
  version: '1.0.41',
  program: (modules) => unpacked(join(modules, `@xai-official/grok-${process.platform}-${process.arch}/bin/grok`)),
  scope: 'user',

  environment: () => ({ MOCK_API_KEY: 'fake' }),
  prepare(sandbox, address) {
    const config = [
      '[models]',
      'default = "mock"',
      '[model.mock]',
      'model = "mock-small"',
      `base_url = "http://${address}/v1"`,
      'env_key = "MOCK_API_KEY"',
      'name = "Mock"',
      'context_window = 200000',
      '',
    ];
    sandbox.write(join(sandbox.home, '.grok/config.toml'), config.join('\n'));
  },
  trust: () => 'the user approves all tools (--always-approve); hooks of the user’s own folder need no trust',
  command: (program, prompt) => [program, '-p', prompt, '-m', 'mock', '--always-approve'],
  args: ['--always-approve'],
  shell: (command) => ({ name: 'run_terminal_command', args: { command, description: 'Run it' } }),
  impossible: { stop: 'its hook’s answer ends no turn' },
  missing: { gate: 'its hook does not wait for the quality gates' },
};

/** Its package contains the compressed program. A package script would unpack it, but scripts are not run. */
function unpacked(program) {
  const packed = `${program}.br`;
  if (existsSync(program) || !existsSync(packed)) return program;
  const half = join(dirname(program), 'half');
  writeFileSync(half, brotliDecompressSync(readFileSync(packed)));
  chmodSync(half, 0o755);
  renameSync(half, program);
  return program;
}
