/** Settings of `npm run mutate` for any room. test/mutation/run.mjs adds those of the room. */
export default {
  vitest: { configFile: 'vitest.config.mjs' },
  coverageAnalysis: 'perTest',
  // Most changes are tried in the first run.
  dryRunTimeoutMinutes: 120,
  concurrency: Number(process.env.UNSTUCK_MUTATE_WORKERS ?? 2),
  // Generous, so that a busy machine does not turn a survivor into a timeout.
  timeoutMS: 30_000,
  timeoutFactor: 4,
  incremental: true,
  tempDirName: 'test-output/mutation/copy',
  cleanTempDir: 'always',
  // TypeScript 7 has no API for Stryker to read tsconfig.json with, and vitest does not need it: name a file that does not exist.
  tsconfigFile: 'none.json',
  ignorePatterns: ['dist', 'test-output', 'test/vscode', '.unstuck', '.vscode-test', '*.vsix'],
  reporters: ['json', 'progress-append-only'],
  logLevel: 'warn',
};
