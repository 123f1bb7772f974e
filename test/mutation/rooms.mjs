/**
 * What `npm run mutate -- ROOM` changes, and the tests that must notice. `code` holds the files that decide; files that only talk to the
 * system (processes, git, sql.js, VS Code) are left out, because the host and browser suites cover them. `tests` must run without starting a
 * process where that is possible: each runs once for every change it covers. Both are globs from the root of the repository; `!` excludes.
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
      'test/unit/engine/session/leave-wait.test.ts',
      '!**/dev-traces.test.ts',
    ],
  },
  incident: {
    code: ['src/incident/**/*.ts'],
    tests: ['test/unit/incident/**/*.test.ts'],
  },
  recover: {
    code: [
      'src/recover/**/*.ts',
      '!src/recover/process.ts',
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
    code: ['src/inbox/messages/*.ts', 'src/inbox/hook/gate-wait.ts', 'src/inbox/{gate-file,root,supervised}.ts'],
    tests: ['test/unit/inbox/**/*.test.ts', '!**/{concurrent,disk-full,hook}.test.ts'],
  },
  store: {
    code: [
      'src/store/{contents,queries}/**/*.ts',
      'src/store/catalogue/{catalogue,kept-index,search,sql,statistics,tables,vocabulary,where}.ts',
      'src/store/journal/{journal-format,records,write-queue}.ts',
      'src/store/snapshot/{columns,compaction,history,pages,retention,rows,schema,snapshot}.ts',
      'src/store/{damage,prepare,status}.ts',
    ],
    tests: ['test/unit/store/**/*.test.ts', '!**/{crash,windows,trouble,damaged-file,file-size,threaded}.test.ts'],
  },
  // What is drawn, asked or wired through VS Code is left out: what remains decides which row, notification, event or message there is.
  ui: {
    code: [
      'src/panel/*.ts',
      'src/model/standing.ts',
      'src/ui/{agent-list,api,markdown,places,seen}.ts',
      'src/ui/commands/{mute,not-stuck,pick,rule-off,show}.ts',
      'src/ui/gates/{agreements,consent,problems}.ts',
      'src/ui/history/{history,kept-evidence}.ts',
      'src/ui/notifications/{agent-notices,attention,feedback,notifier,notify}.ts',
      'src/ui/nudges/*.ts',
      'src/ui/panel/{past-view,snapshot}.ts',
      'src/ui/recovery/{questions,shown}.ts',
      'src/ui/settings/{engine-settings,settings}.ts',
      'src/ui/status/*.ts',
      'src/ui/trees/{incident-groups,notes,order,paced-changes,roster,row-words}.ts',
    ],
    tests: ['test/unit/{model,ui,panel}/**/*.test.ts', '!**/history-damage.test.ts'],
  },
  words: {
    code: ['src/words/**/*.ts'],
    // Many a sentence is tested where it is shown.
    tests: ['test/unit/{words,panel,ui,webview}/**/*.test.ts', '!**/history-damage.test.ts'],
  },
};
