import { normalisedPath } from '../util/canonical';
import { remembered } from '../util/remembered';
import { isCheck } from './shell/check-programs';
import { segmentsOf } from './shell/segments';
import { optionsGone, unwrapped } from './shell/unwrap';
import { programName, words } from './shell/words';

/** Something that a command line acts on, or looks at, and that can be looked at first. */
export interface Touch {
  /** `edits` and `runs`: a file. `changes` and `looks`: what a system keeps beside the files of a project. */
  readonly how: 'edits' | 'runs' | 'changes' | 'looks';
  /** The path as it stands in the line, or the system: `database`. */
  readonly what: string;
  /** Words that change the system: `reset --hard`. Empty for the other three. */
  readonly verb: string;
}

/** A system, with the parts of its command line that destroy or replace, and those that show or first make it. */
interface System {
  readonly name: string;
  readonly changes: RegExp;
  readonly looks: RegExp;
}

const REPOSITORY: System = {
  name: 'repository',
  changes:
    /^(?:push\b.{0,200}\s(?:-f|--force)(?=\s|$)|reset\b.{0,100}--hard|clean\b.{0,40}\s-\w{0,4}f|branch\b.{0,40}\s-D\b|stash (?:drop|clear))/,
  looks:
    /^(?:status|log|diff|show|branch|reflog|stash|rev-parse|rev-list|ls-files|fetch|commit|clone|init|add|checkout|switch|merge|rebase|pull|worktree|blame|tag|remote|describe)\b/,
};
const CLUSTER: System = {
  name: 'cluster',
  changes: /^(?:delete|scale|patch|replace|drain|cordon|set|rollout (?:undo|restart))\b/,
  looks: /^(?:get|describe|logs|diff|top|explain|rollout|create|apply|run|expose|exec|events|cluster-info)\b/,
};
const RELEASES: System = {
  name: 'cluster',
  changes: /^(?:uninstall|delete|rollback)\b/,
  looks: /^(?:list|ls|status|get|history|diff|template|install|upgrade|show)\b/,
};
const INFRASTRUCTURE: System = {
  name: 'infrastructure',
  changes: /^(?:destroy|apply\b.{0,200}-auto-approve|state (?:rm|mv)|taint)\b/,
  looks: /^(?:plan|show|state|validate|output|refresh|apply|init|graph)\b/,
};
const CONTAINERS: System = {
  name: 'containers',
  changes:
    /^(?:rm|rmi|(?:volume|image|container|network|system|builder|buildx) (?:rm|prune)|compose\b.{0,100}\bdown\b.{0,40}\s(?:-v|--volumes)(?=\s|$))/,
  looks:
    /^(?:ps|images|inspect|logs|stats|top|info|run|up|start|create|build|pull|exec|\w{1,20} (?:ls|list|inspect|df)|compose\b.{0,100}\b(?:ps|ls|logs|config|up|build|run|start))\b/,
};
const SYSTEMS: ReadonlyMap<string, System> = new Map([
  ['git', REPOSITORY],
  ['kubectl', CLUSTER],
  ['oc', CLUSTER],
  ['helm', RELEASES],
  ['terraform', INFRASTRUCTURE],
  ['tofu', INFRASTRUCTURE],
  ['docker', CONTAINERS],
  ['podman', CONTAINERS],
]);

/** Command lines of services: the verb is one of their words, `aws s3 rm`, `gcloud compute instances delete`. */
const SERVICES = words(
  'aws gcloud gsutil az doctl fly flyctl heroku gh glab railway supabase firebase wrangler hcloud linode-cli',
);
const SERVICE_CHANGES = /^(?:delete|terminate|remove|rm|destroy|purge|drop|rb)(?:[-:][\w-]{1,60})?$|:destroy$/;

const DATABASES = words('psql mysql mariadb sqlite3 sqlite duckdb sqlcmd cockroach clickhouse-client');
/** Statements that change or drop existing rows. New rows and new tables do not count. */
const SQL_CHANGES =
  /\b(?:update\s{1,8}[\w."`[\]]{1,120}\s{1,8}set|delete\s{1,8}from|drop\s{1,8}(?:table|database|schema|column|index|view)|truncate|alter\s{1,8}table)\b/i;

/** Programs that run a file of code. The file is read first where what it does matters. */
const INTERPRETERS = words('python python2 python3 node deno bun tsx ts-node ruby perl php bash sh zsh pwsh source .');
const CODE = /\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|mts|rb|pl|php|ps1)$/;
/** Without an interpreter only what is named by its path. */
const SCRIPT = /\/[\w.-]{1,120}\.(?:sh|bash|zsh|py|rb|pl|ps1)$|\/[\w.-]{1,120}\.m?js$/;
/**
 * Files that no one reads before running them: output of a build or a package manager, the tools of an agent, the entry points
 * of frameworks.
 */
const NOT_READ =
  /(?:^|\/)(?:\.[^/.][^/]{0,120}|node_modules|vendor|venv|dist|build|out|target)\/|(?:^|\/)(?:setup|manage)\.py$|(?:^|\/)conftest\.py$/;
/** A path with a variable, or one of the home folder. */
const UNKNOWN_PLACE = /[$%*?~{}]/;
const EDITED = /^[\w@+./-]{1,300}\.[A-Za-z]\w{0,7}$/;
/** It only asks a program what it can do, or would do. */
const ASKS = /^(?:--help|--version|--dry-run(?:=\w+)?)$/;
const ASKS_AT_END = /^(?:-h|-V|help|version)$/;
/** A quick look whether a line is worth splitting. */
const WORTH =
  /\b(?:sed|perl|git|kubectl|oc|helm|terraform|tofu|docker|podman|psql|mysql|mariadb|sqlite3?|duckdb|sqlcmd|cockroach|clickhouse-client|aws|gcloud|gsutil|az|doctl|flyctl|fly|heroku|gh|glab|railway|supabase|firebase|wrangler|hcloud|linode-cli)\b|\.(?:sh|bash|zsh|py|[mc]?js|m?ts|rb|pl|php|ps1)\b/;
/** Beyond this many characters a command is not read further. */
const READ = 16_000;
const DEPTH = 3;

/**
 * Lists everything that a command line acts on and looks at, in its order. Files outside the working folder are left out, and
 * so are programs that are not read before they are run. Never throws.
 *
 * @param cwd the working folder; null where it is not known
 */
export function touchesOf(commandLine: string, cwd: string | null): readonly Touch[] {
  const touches = touchesByText(commandLine.length > READ ? commandLine.slice(0, READ) : commandLine);
  if (touches.length === 0) return touches;
  return touches.filter(({ how, what }) => (how !== 'runs' && how !== 'edits') || isOwnFile(what, cwd));
}

const NONE: readonly Touch[] = [];
const LONGEST = 2000;
const touchesByText = remembered<readonly Touch[]>(
  // A long line has been split already, and the quick look would go through its here-documents.
  (text) => (text.length > LONGEST || WORTH.test(text) ? touchesIn(text, 0) : NONE),
  { most: 256, longest: LONGEST },
);

function isOwnFile(path: string, cwd: string | null): boolean {
  const inside = normalisedPath(path, cwd);
  return !inside.startsWith('/') && !inside.startsWith('../') && !UNKNOWN_PLACE.test(inside) && !NOT_READ.test(inside);
}

function touchesIn(text: string, depth: number): Touch[] {
  return segmentsOf(text).flatMap((segment) => {
    const { words: all, line } = unwrapped(segment);
    if (line !== undefined) return depth < DEPTH ? touchesIn(line, depth + 1) : [];
    return touchesOfOne(all, text);
  });
}

function touchesOfOne(all: readonly string[], text: string): Touch[] {
  const program = programName(all[0] ?? '');
  const rest = all.slice(1);
  if (rest.some((word) => ASKS.test(word)) || ASKS_AT_END.test(rest.at(-1) ?? '')) return [];
  if (program === 'sed' || program === 'perl') return editedInPlace(rest);
  const system = SYSTEMS.get(program);
  if (system !== undefined) return touched(system, program, optionsGone(program, rest).join(' '));
  if (DATABASES.has(program)) return [state('database', SQL_CHANGES.exec(text)?.[0])];
  if (SERVICES.has(program)) return [touchedService(all)];
  const script = INTERPRETERS.has(program)
    ? optionsGone(program, rest).find((word) => !word.startsWith('-'))
    : SCRIPT.test(all[0] ?? '')
      ? all[0]
      : undefined;
  return script !== undefined && CODE.test(script) && !isCheck(all) ? [{ how: 'runs', what: script, verb: '' }] : [];
}

function touched({ name, changes, looks }: System, program: string, line: string): Touch[] {
  const verb = changes.exec(line)?.[0];
  if (verb !== undefined) return [state(name, `${program} ${verb}`)];
  return looks.test(line) ? [state(name, undefined)] : [];
}

function touchedService(all: readonly string[]): Touch {
  const verb = all.findIndex((word, at) => at > 0 && SERVICE_CHANGES.test(word));
  return state(`${programName(all[0] ?? '')} resources`, verb < 0 ? undefined : all.slice(0, verb + 1).join(' '));
}

function state(what: string, verb: string | undefined): Touch {
  return verb === undefined ? { how: 'looks', what, verb: '' } : { how: 'changes', what, verb };
}

/** `sed -i s/a/b/ a.py`: the files behind the script. */
function editedInPlace(rest: readonly string[]): Touch[] {
  if (!rest.some((word) => /^(?:-[a-zA-Z]{0,6}i|--in-place)/.test(word))) return [];
  return rest
    .slice(1)
    .filter((word) => EDITED.test(word) && !word.startsWith('-'))
    .map((what) => ({ how: 'edits', what, verb: '' }));
}
