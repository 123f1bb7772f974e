import { WAIT_TOOLS } from '../../../base/checks/waits';
import { remembered } from '../../../base/util/remembered';

/** Purpose of a tool, by its name. For `shell` and `editor`, the arguments of each call decide. */
export type ToolRole =
  | 'shell'
  | 'code'
  | 'read'
  | 'list'
  | 'find'
  | 'search'
  | 'fetch'
  | 'web_search'
  | 'edit'
  | 'write'
  | 'delete'
  | 'move'
  | 'patch'
  | 'editor'
  | 'plan'
  | 'delegate'
  | 'ask'
  | 'wait'
  | 'look'
  | 'other';

/** Roles by tool name in lower case, without `_`, `-` and spaces. An adapter may pass its own entries, which take precedence. */
export type ToolTable = Readonly<Record<string, ToolRole>>;

const NAMES: Readonly<Partial<Record<ToolRole, string>>> = {
  shell: `bash bashcommand shell sh zsh cmd execute exec execcommand executecommand executebash runcommand runshellcommand runterminal
    runterminalcommand runinterminal runterminalcmd terminal shellcommand localshell shellexec run console powershell pwsh
    runtests runtest developershell`,
  code: 'python ipython executeipythoncell jupyter repl nodejs javascript executecode runcode codeinterpreter browser execjs',
  read: `read readfile view viewfile viewimage open openfile cat readmanyfiles readfiles notebookread getfilecontents readresource
    readmcpresource readfilerange`,
  list: 'ls list listdir listdirectory listfiles listfolder readfolder readdirectory listcodedefinitionnames tree',
  find: 'glob find findfiles filesearch searchfiles findfilebyname globfiles fastcontext',
  search: `grep search searchfilecontent grepsearch ripgrep searchdir searchfile codebasesearch searchcode searchcodebase semanticsearch
    searchtext greptool codesearch`,
  fetch: 'webfetch fetch fetchurl readurl readurlcontent openurl httprequest curl browse urlfetch',
  web_search: 'websearch googlewebsearch googlesearch searchweb bingsearch internetsearch',
  edit: `edit editfile multiedit replace strreplace searchreplace searchandreplace replaceinfile notebookedit editnotebook insert insertcontent
    fileedit updatefile inserteditintofile multieditfile replacefilecontent replacelines`,
  write:
    'write writefile writetofile create createfile savefile newfile filewrite overwritefile createnewfile appendfile',
  delete: 'delete deletefile removefile rm',
  move: 'move movefile renamefile rename copyfile',
  patch: 'applypatch patch applydiff',
  editor: 'strreplaceeditor strreplacebasededittool texteditor developertexteditor editor',
  plan: `todowrite todoread todo updatetodo updatetodolist todolist writetodos managetodolist updateplan plan taskcreate taskupdate tasklist taskget
    settodolist createplan tasktracker exitplanmode enterplanmode presentplan updatetasklist newplan`,
  delegate: `task agent subagent delegate delegatetask spawnagent newtask runsubagent dispatchagent callagent delegatetoagent startagent
    usesubagents createagent summonsubagent`,
  ask: 'askuserquestion askuser askfollowupquestion question askquestion requestuserinput userinput elicitinput askhuman',
  wait: WAIT_TOOLS.join(' '),
  look: `toolsearch skill activateskill listmcpresources listmcpresourcetools getdiagnostics diagnostics getdiagnosticserrors geterrors lsp hover
    getchangedfiles listcodeusages think reportintent memory readmemory recall`,
};

const BY_NAME: ReadonlyMap<string, ToolRole> = new Map(
  (Object.entries(NAMES) as [ToolRole, string][]).flatMap(([role, names]) =>
    names.split(/\s+/).map((name): [string, ToolRole] => [name, role]),
  ),
);

/** For names that are in no table: the first meaningful word of the name decides. Words for writing count only with a path (see roleByWord). */
const BY_WORD: readonly (readonly [RegExp, ToolRole])[] = [
  [/^(?:todo|todos|plan|plans)$/, 'plan'],
  [/^(?:subagent|delegate)$/, 'delegate'],
  [/^(?:sleep|wait|poll|await)$/, 'wait'],
  [/^(?:bash|shell|terminal|exec|execute)$/, 'shell'],
  [/^(?:grep|search|query|lookup)$/, 'search'],
  [/^(?:glob|find)$/, 'find'],
  [/^(?:read|view|get|show|inspect|describe|status|check|export|screenshot|snapshot)$/, 'look'],
  [/^(?:list|ls)$/, 'look'],
  [/^(?:fetch|browse|navigate|download)$/, 'fetch'],
];
const WRITING_WORD = /^(?:edit|write|patch|replace|create|insert|append|update|delete|remove|move|rename|save)$/;

/** A session has few tools, and each call needs the name of its own. */
const REMEMBERED = { most: 500, longest: 120 };

const key = remembered((name) => name.toLowerCase().replace(/[_\-\s]/g, ''), REMEMBERED);
const roleOf = remembered((bare) => BY_NAME.get(key(bare)) ?? roleByWord(bare), REMEMBERED);

/** Returns the tool's own name: without the server of an MCP tool (`mcp__jira__search`), and without a namespace (`functions.exec`). */
export const bareToolName = remembered(
  (name) => (/^mcp__.{1,80}?__(.+)$/.exec(name)?.[1] ?? name).replace(/^.*[.:/]/, ''),
  REMEMBERED,
);

/** Returns the role of a tool. `hasPath`: the call has a file among its arguments; without one, a word for writing means nothing. */
export function toolRole(name: string, table: ToolTable | undefined, hasPath: boolean): ToolRole {
  const bare = bareToolName(name.length > 120 ? name.slice(0, 120) : name);
  const own = table?.[key(bare)];
  if (own) return own;
  const role = roleOf(bare);
  return role === 'writes' ? (hasPath ? 'edit' : 'other') : role;
}

function roleByWord(name: string): ToolRole | 'writes' {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  for (const part of parts) {
    if (WRITING_WORD.test(part)) return 'writes';
    for (const [word, role] of BY_WORD) if (word.test(part)) return role;
  }
  return 'other';
}
