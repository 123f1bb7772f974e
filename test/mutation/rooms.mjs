/**
 * The code that `npm run mutate -- ROOM` changes, and the tests that must notice. `code` contains the files that make decisions; files that only talk
 * to the system (processes, git, sql.js, VS Code) are left out, because the host and browser suites cover them. `tests` must run without starting a
 * process if possible: each runs once for every change it covers. Both are globs from the root of the repository; `!` excludes.
 *
 * @type {Readonly<Record<string, { readonly code: readonly string[], readonly tests: readonly string[] }>>}
 */
export const ROOMS = {
  detect: {
    code: ['src/detect/**/*.ts', '!src/detect/rules/index.ts'],
    tests: [
      'test/unit/detect/**/*.test.ts',
      'test/stories/*.test.ts',
      'test/golden/{alerts,steps}.test.ts',
      'test/unit/engine/session/permission-wait.test.ts',
      '!**/dev-traces.test.ts',
    ],
  },
  incident: {
    code: ['src/detect/incident/**/*.ts'],
    tests: ['test/unit/detect/incident/**/*.test.ts'],
  },
  recover: {
    code: [
      'src/recover/**/*.ts',
      '!src/recover/checkpoint/{git,save,restore,list}.ts',
      '!src/recover/gates/run-gates.ts',
    ],
    tests: [
      'test/unit/recover/*.test.ts',
      'test/unit/recover/decisions/*.test.ts',
      'test/unit/recover/gates/**/*.test.ts',
      'test/unit/recover/{checkpoint/names,drafts/*}.test.ts',
      'test/golden/drafts.test.ts',
      '!**/run-gates.test.ts',
    ],
  },
  inbox: {
    code: [
      'src/agents/inbox/messages/*.ts',
      'src/agents/inbox/hook/gate-wait.ts',
      'src/agents/inbox/{gate-file,root,supervised}.ts',
    ],
    tests: ['test/unit/agents/inbox/**/*.test.ts', '!**/{concurrent,disk-full,hook}.test.ts'],
  },
  history: {
    code: [
      'src/history/{contents,queries}/**/*.ts',
      'src/history/catalogue/{catalogue,kept-index,search,sql,statistics,tables,vocabulary,where}.ts',
      'src/history/journal/{journal-format,records,write-queue}.ts',
      'src/history/snapshot/{columns,compaction,history,pages,retention,rows,schema,snapshot}.ts',
      'src/history/{damage,prepare,status}.ts',
    ],
    tests: ['test/unit/history/**/*.test.ts', '!**/{crash,windows,trouble,damaged-file,file-size,threaded}.test.ts'],
  },
  // What is drawn, requested or wired through VS Code is left out: the rest decides which row, notification, event or message there is.
  editor: {
    code: [
      'src/editor/panel-model/**/*.ts',
      'src/core/model/standing.ts',
      'src/editor/{agent-list,api,seen,workplaces}.ts',
      'src/editor/commands/{mute,not-stuck,pick,rule-off,show}.ts',
      'src/editor/gates/{agreements,consent,problems}.ts',
      'src/editor/history/{history,kept-evidence}.ts',
      'src/editor/notifications/{agent-notices,attention,feedback,notifier,notify}.ts',
      'src/editor/nudges/*.ts',
      'src/editor/panel/{intents,snapshot,subject}.ts',
      'src/editor/recovery/{questions,shown}.ts',
      'src/editor/settings/{engine-settings,settings}.ts',
      'src/editor/status/*.ts',
      'src/editor/trees/{incident-groups,notes,order,paced-changes,roster,row-words}.ts',
    ],
    tests: [
      'test/unit/{core/model,editor}/**/*.test.ts',
      '!test/unit/editor/{webview,replay}/**',
      '!**/history-damage.test.ts',
    ],
  },
  engine: {
    code: [
      'src/engine/{across,ageing,correspondence,inbox-cleaning,inbox-mail,resume-incident,runs,scan-all,sessions,view-cache}.ts',
      'src/engine/follow/{left-out,room,seats,session-files,unread-files,wake}.ts',
      'src/engine/session/*.ts',
      'src/engine/{history,report}/*.ts',
    ],
    // scan-cache changes the time zone of its process, which a thread cannot; the engine's coverage waits for whole transcripts.
    tests: [
      'test/unit/engine/**/*.test.ts',
      '!**/{too-many-sessions,too-many-folders,late-folders,scan-cache}.test.ts',
      '!test/unit/engine/coverage.test.ts',
    ],
  },
  tail: {
    code: ['src/base/tail/{lines,documents,pace,folders}/*.ts', '!src/base/tail/folders/watch*.ts'],
    tests: ['test/unit/base/tail/**/*.test.ts'],
  },
  agents: {
    code: [
      'src/agents/{claude-code,codex,gemini,opencode,copilot}/*.ts',
      'src/agents/shared/{decode,conversation}/*.ts',
      '!src/agents/*/{bridge,adapter,descriptor}*.ts',
    ],
    tests: [
      'test/unit/agents/{claude-code,codex,gemini,opencode,copilot,shared}/**/*.test.ts',
      'test/golden/agents.test.ts',
    ],
  },
  fleet: {
    code: ['src/fleet/{wire,relay,client}/*.ts'],
    tests: ['test/unit/fleet/**/*.test.ts'],
  },
  words: {
    code: ['src/core/words/**/*.ts'],
    // Many sentences are tested where they are shown.
    tests: ['test/unit/{core/words,editor}/**/*.test.ts', '!**/history-damage.test.ts'],
  },
};
