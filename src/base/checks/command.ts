import { isCheck } from './shell/check-programs';
import { formats } from './shell/formatters';
import { type SimpleCommand, segmentsOf } from './shell/segments';
import { segmentKind } from './shell/shell-kind';
import { optionsGone, unwrapped } from './shell/unwrap';
import { programName, words } from './shell/words';
import { waitIn } from './waits';

/**
 * Purpose of a command line. `check`: its result shows whether the work is correct. `wait`: it lets time pass, or polls something that runs. `look`:
 * it only reads. `mutation`: it only changes files. `other`: it runs something else.
 */
export type CommandKind = 'check' | 'wait' | 'look' | 'mutation' | 'other';

export interface Command {
  readonly kind: CommandKind;
  /** The command that counts, without whatever only starts or filters it: `npm test`. Used for display and for comparison. At most 200 characters. */
  readonly main: string;
  /** Seconds for which the command says that it waits; 0 where it does not say. A check behind a `sleep` has them too. */
  readonly requestedWait: number;
  /**
   * Meaning of the exit code of the whole line for the command that counts. `own`: it is that command's own exit code. `zero`: 0 means success, any
   * other value may come from a later command. `piped`: it belongs to the filter behind the command (`pytest | tail`). `none`: it belongs to another
   * command.
   */
  readonly exit: 'own' | 'zero' | 'piped' | 'none';
  /** True if it queries a service of this machine. If the connection is refused, the step waits for that service. */
  readonly queriesLocal: boolean;
  /** True if it writes content into a file before it runs the command that counts: `cat > a.py <<EOF … EOF; pytest`, an edit and a run in one. */
  readonly edits: boolean;
  /** True if it checks out another commit in the work tree: `git bisect`, `git switch`, `git rebase`. */
  readonly movesHead: boolean;
}

/** Longer commands are read only up to this many characters. */
const READ = 16_000;
const MAIN = 200;
const DEPTH = 3;

/** Programs that pass on what another one prints. */
const FILTERS =
  words(`grep egrep fgrep rg ag ack head tail tee wc sort uniq cut sed awk gawk tr jq yq less more cat column nl fold strings tac rev
  ts cat bat select-string select-object out-host out-string out-file out-null measure-object format-table where-object findstr ansi2txt
  iconv xxd base64 md5sum sha256sum pr fmt expand unbuffer perl sponge paste comm`);
/** Commands that neither check, wait, look nor change anything: they prepare the environment or print a heading. */
const NEUTRAL =
  words(`cd pushd popd echo printf true false : export set unset exit return local clear then fi do done esac case for in source .
  shopt ulimit umask alias trap shift break continue module nvm conda activate deactivate set-location write-host write-output declare mktemp
  typeset readonly let read function } ) ]] setopt chcp pwd sync`);
/** Programs that change the content of a file without a redirection. */
const EDITORS = words('sed perl tee patch apply_patch');
const LOCAL = /(?:^|\/\/|@)(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|host\.docker\.internal)(?=[:/?]|$)/i;
const SENDING = /^(?:-X|--request|-d|--data.*|-F|--form.*|-T|--upload-file|--json|--post-data.*|-Method|-Body)$/i;

interface Part {
  readonly kind: CommandKind | 'neutral';
  /** The words that count. */
  readonly words: readonly string[];
  readonly requestedWait: number;
  readonly local: boolean;
  readonly loop: boolean;
  /** True if it writes content into a file. */
  readonly edits: boolean;
  readonly movesHead: boolean;
  /** Meaning of the exit code, for a line that was written for another shell. */
  readonly exit: Command['exit'];
}

/** Classifies a shell line. Never throws. */
export function classifyCommand(commandLine: string): Command {
  return classify(commandLine, 0);
}

function classify(commandLine: string, depth: number): Command {
  const text = commandLine.slice(0, READ);
  const segments = segmentsOf(text);
  const parts = segments.map((segment, at) => partOf(segment, segments[at - 1]?.joint === '|', depth));
  const requestedWait = parts.reduce((sum, part) => sum + part.requestedWait, 0);
  const queriesLocal = parts.some((part) => part.local);
  const kind = kindOf(parts, segments);
  const counting = parts.filter((part) => part.kind === kind);
  const main = [...new Set(counting.map((part) => part.words.join(' ')))].join(' && ');
  return {
    kind,
    main: (main === '' ? text.trim() : main).slice(0, MAIN),
    requestedWait,
    exit: exitOf(parts, segments, kind),
    queriesLocal,
    edits: editsFirst(parts, kind),
    movesHead: parts.some((part) => part.movesHead),
  };
}

/** True if a part writes content before the one that runs something. For a line for another shell, the part already holds the answer. */
function editsFirst(parts: readonly Part[], kind: CommandKind): boolean {
  const runs = parts.findIndex((part) => part.kind === kind);
  return (kind === 'check' || kind === 'other') && parts.slice(0, runs + 1).some((part) => part.edits);
}

/**
 * Returns the purpose of one simple command of a line. `filtered`: it reads the output of another one. `neutral`: it only
 * prepares the environment.
 */
export function purposeOf(segment: SimpleCommand, filtered: boolean): CommandKind | 'neutral' {
  return partOf(segment, filtered, 0).kind;
}

function kindOf(parts: readonly Part[], segments: readonly SimpleCommand[]): CommandKind {
  const kinds = new Set(parts.map((part) => part.kind));
  if (kinds.has('check')) return 'check';
  // a loop that sleeps between its queries waits for their answer
  const slept = parts.findIndex((part) => part.kind === 'wait' && part.requestedWait > 0);
  const loops =
    parts.some((part) => part.loop) || segments.some((one) => /^(?:while|until|for)$/.test(one.words[0] ?? ''));
  if (slept >= 0 && loops && parts.every((part) => part.kind !== 'mutation' && (part.kind !== 'other' || part.local)))
    return 'wait';
  if (kinds.has('other')) return 'other';
  if (kinds.has('mutation')) return 'mutation';
  if (kinds.has('wait')) return 'wait';
  return kinds.has('look') ? 'look' : 'other';
}

/** True if the shell is told to pass on the exit code of a program whose output is filtered. */
function keepsExit(segments: readonly SimpleCommand[]): boolean {
  return segments.some(({ words: [first, ...rest] }) => first === 'set' && rest.includes('pipefail'));
}

function exitOf(parts: readonly Part[], segments: readonly SimpleCommand[], kind: CommandKind): Command['exit'] {
  const at = parts.findLastIndex((part) => part.kind === kind);
  if (at < 0) return 'own';
  const own = parts[at]?.exit ?? 'own';
  const piped = keepsExit(segments);
  const joints = segments.slice(at).map((segment) => (segment.joint === '|' && piped ? 'end' : segment.joint));
  const meant = joints.slice(0, Math.max(0, joints.length - 1));
  const last = joints.at(-1);
  // `npm test &` only shows that it was started; a last `;` or line end has no effect
  if (last === '&' || last === '|' || last === '||') return 'none';
  if (meant.includes('|')) return 'piped';
  if (meant.every((joint) => joint === 'end')) return own;
  return own === 'own' && meant.every((joint) => joint === '&&' || joint === 'end') ? 'zero' : 'none';
}

function partOf(segment: SimpleCommand, filtered: boolean, depth: number): Part {
  const { words: all, limit, loop, line } = unwrapped(segment);
  // Written out: in V8, building an object from two spreads costs many times as much, and this runs for each command of each line.
  const part = (kind: Part['kind'], requestedWait = 0, local = false, edits = false): Part => ({
    kind,
    words: all,
    requestedWait,
    local,
    loop,
    edits,
    movesHead: false,
    exit: 'own',
  });
  if (line !== undefined && depth < DEPTH) {
    const { kind, main, requestedWait, queriesLocal, edits, movesHead, exit } = classify(line, depth + 1);
    return { kind, words: [main], requestedWait, local: queriesLocal, loop, edits, movesHead, exit };
  }
  const program = programName(all[0] ?? '');
  if (program === '' || NEUTRAL.has(program)) {
    const kind = segment.writes ? 'mutation' : program === 'pwd' ? 'look' : 'neutral';
    return part(kind, 0, false, segment.writes && program !== '');
  }
  if (filtered && FILTERS.has(program)) {
    const saves = segment.writes || ((program === 'tee' || program === 'sponge') && all.length > 1);
    return part(saves ? 'mutation' : 'neutral');
  }
  if (program === 'test' || printsOwnInfo(all)) return part(segment.writes ? 'mutation' : 'look');
  if (isCheck(all)) return part('check');
  const wait = waitIn(all, limit);
  if (wait !== null) return part(segment.writes ? 'mutation' : 'wait', wait);
  const { kind, local } = plain(segment, all);
  const does = part(kind, 0, local, kind === 'mutation' && (segment.writes || EDITORS.has(program)));
  return program === 'git' && movesHead(optionsGone(program, all.slice(1))) ? { ...does, movesHead: true } : does;
}

/** A path rather than the name of a commit: `./src`, `a.ts`. */
const FILE =
  /^\.{1,2}(?:\/|$)|\/$|\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|[ch]|cpp|cs|rb|php|swift|json|ya?ml|toml|md|txt|css|html|sh|lock|sql)$/i;

/**
 * Returns whether git checks out another commit in the work tree. `checkout -- path`, `restore`, `stash` and a `reset` without a commit only change
 * files.
 */
function movesHead([does = '', ...rest]: readonly string[]): boolean {
  const names = rest.filter((word) => !word.startsWith('-'));
  switch (does) {
    case 'bisect':
      return !/^(?:log|view|visualize|terms|help)$/.test(names[0] ?? '');
    case 'rebase':
    case 'merge':
    case 'pull':
    case 'switch':
      return true;
    case 'checkout':
      return (names.length > 0 || rest.includes('-')) && !rest.includes('--') && !names.some((word) => FILE.test(word));
    case 'reset':
      return names.length === 1 && !rest.includes('--') && !FILE.test(names[0] ?? '') && names[0] !== 'HEAD';
    default:
      return false;
  }
}

function plain(segment: SimpleCommand, all: readonly string[]): Pick<Part, 'kind' | 'local'> {
  const program = programName(all[0] ?? '');
  const fetched = fetchKind(program, all, segment.writes);
  if (fetched !== null) return fetched;
  if (program === 'nc' || program === 'telnet') return { kind: 'other', local: all.some((word) => LOCAL.test(word)) };
  const does = segmentKind({ words: all, writes: segment.writes });
  switch (does) {
    case 'looked':
      return { kind: substitutesLooks(segment) ? 'look' : 'other', local: false };
    case 'changed':
      return { kind: substitutesLooks(segment) ? 'mutation' : 'other', local: false };
    case 'waited':
      return { kind: 'wait', local: false };
    case 'ran':
      return { kind: recordsChanges(program, all) || formats(all) ? 'mutation' : 'other', local: false };
    case null:
      return { kind: 'neutral', local: false };
  }
}

/** Sub-commands that only record the state of a repository: `git add`, `git commit`, `git fetch`. */
const BOOKKEEPING = words('add commit push fetch pull switch branch tag merge rebase mv');

function recordsChanges(program: string, all: readonly string[]): boolean {
  const part = all.find((word, at) => at > 0 && !word.startsWith('-') && !/^-[cC]$/.test(all[at - 1] ?? ''));
  return program === 'git' && BOOKKEEPING.has(part ?? '');
}

/** Returns whether every command substitution only looks: `git diff $(git merge-base main HEAD)`. */
function substitutesLooks({ words: all, substitutes }: SimpleCommand): boolean {
  if (!substitutes) return true;
  const inner = [...all.join(' ').matchAll(/\$\(([^()]*)/g)].map((found) => found[1] ?? '');
  return (
    inner.length > 0 &&
    inner.every((line) => segmentsOf(line).every((one) => /^(?:looked|null)$/.test(String(segmentKind(one)))))
  );
}

/** Returns whether a program is only called to print its version or its options. */
function printsOwnInfo(all: readonly string[]): boolean {
  return all.length > 1 && all.length <= 4 && /^(?:--version|--help|-V|version|help)$/.test(all.at(-1) ?? '');
}

const FETCHERS = words('curl wget http https xh invoke-webrequest invoke-restmethod iwr irm lynx w3m');

/** The part of a path at which a service reports its state, or the progress of a job. */
const STATE = /\/(?:status|health\w{0,8}|ready\w{0,8}|live\w{0,8}|ping|jobs?|queue|progress)(?=[/?]|$)/i;

/**
 * Classifies a fetch. Reading a web page is a look; querying the state of a service of this machine is a wait. Any other request to that service is
 * neither: its answer depends on the agent's own work.
 */
function fetchKind(program: string, all: readonly string[], writes: boolean): Pick<Part, 'kind' | 'local'> | null {
  if (!FETCHERS.has(program)) return null;
  const at = all.findIndex((word) => SENDING.test(word));
  const sends = at >= 0 && !/^(?:GET|HEAD)$/i.test(all[at + 1] ?? '');
  const address = all.find((word) => LOCAL.test(word));
  if (address !== undefined) return { kind: !sends && STATE.test(address) ? 'wait' : 'other', local: true };
  const saves = writes || (program === 'wget' ? !all.some((word) => /^-q?O-?$/.test(word)) : savesTo(all));
  if (sends) return { kind: 'other', local: false };
  return { kind: saves ? 'other' : 'look', local: false };
}

function savesTo(all: readonly string[]): boolean {
  const at = all.findIndex((word) => /^-[a-zA-Z]*[oO]$|^--output$|^--remote-name$|^-OutFile$/.test(word));
  return at >= 0 && all[at + 1] !== '/dev/null' && all[at + 1] !== '-';
}
