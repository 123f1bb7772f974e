import { type SimpleCommand, segmentsOf } from './segments';
import { words } from './words';

/**
 * Effect of a shell command, as far as its text shows: it clearly only looks, only writes files, only waits, or it runs something. Anything unclear
 * counts as `ran`.
 */
export type ShellKind = 'looked' | 'changed' | 'waited' | 'ran';

/** Longer commands are read only up to this many characters. */
const READ = 4000;

const LOOKS =
  words(`ls dir cat head tail less more grep egrep fgrep rg ag ack find fd tree wc file stat du df which type whereis
  whatis man env printenv whoami uname id hostname date ps pgrep jq sort uniq cut tr awk sed diff cmp comm nl xxd od hexdump strings
  realpath readlink basename dirname column test [ pwd bat batcat cloc tokei lsof ss netstat free uptime locale git hg jj npm pnpm yarn pip pip3
  cargo docker kubectl gh go get-childitem get-content select-string select-object test-path findstr where md5sum sha1sum sha256sum cksum history`);
/** Commands that neither look nor change anything on their own. */
const NEUTRAL = words(
  'cd pushd popd echo printf true false : export set unset exit return local test clear then fi do done',
);
const CHANGES = words(
  'mv cp rm rmdir mkdir touch tee chmod chown ln patch apply_patch truncate install unlink set-content remove-item',
);
const WAITS = words('sleep wait start-sleep timeout_sleep');

/** Sub-commands that only look, of tools that do many things. */
const LOOKING_PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: words(`status log diff show blame grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog reflog cat-file
    merge-base name-rev for-each-ref check-ignore check-attr diff-tree diff-index diff-files show-ref symbolic-ref var range-diff count-objects whatchanged version help`),
  hg: words(
    'status st log diff cat annotate blame files heads identify id parents summary paths branches tags help version',
  ),
  jj: words('status st log diff show evolog interdiff help version'),
  npm: words('ls list view info outdated why explain root prefix help version'),
  pnpm: words('ls list why outdated'),
  yarn: words('list why info outdated'),
  pip: words('list show freeze check'),
  pip3: words('list show freeze check'),
  cargo: words('tree metadata version search'),
  docker: words('ps images logs inspect info version top stats'),
  kubectl: words('get describe logs version top explain'),
  go: words('list version env doc'),
};
const CHANGING_PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: words('apply rm mv restore am cherry-pick revert stash checkout reset clean'),
};
/** Options that make a looking program write. */
const WRITING_OPTIONS: Readonly<Record<string, RegExp>> = {
  sed: /^(?:-[a-zA-Z]*i.*|--in-place.*)$/,
  find: /^-(?:delete|exec|execdir|ok|okdir|fprint.*)$/,
  fd: /^(?:-x|-X|--exec.*)$/,
  sort: /^(?:-o.*|--output.*)$/,
};
const WATCHING = /(?:^|\s)--watch(?:\s|$)/;

/** A quick test whether anything precedes the command: most lines begin with their program. */
const MAY_LEAD = /^(?:[\s#]|(?:cd|pushd|set|export)\s|[A-Za-z_]\w*=)/;

/** Returns the command without what precedes it: `cd folder &&`, variable assignments, comment lines, empty lines. */
export function mainCommand(command: string): string {
  let rest = command.slice(0, READ);
  for (let round = 0; round < 8 && MAY_LEAD.test(rest); round++) {
    const lead =
      /^\s+/.exec(rest) ??
      /^#[^\n]*\n/.exec(rest) ??
      /^(?:cd|pushd)\s+(?:"[^"\n]*"|'[^'\n]*'|\\ |[^\s;&|"'])+[ \t]*(?:&&|;|\n)\s*(?=\S)/.exec(rest) ??
      /^set\s+[-+][a-z]+(?:\s+pipefail)?[ \t]*(?:&&|;|\n)\s*(?=\S)/.exec(rest) ??
      /^(?:export\s+)?[A-Za-z_]\w*=(?:"[^"\n]*"|'[^'\n]*'|[^\s;&|"'`$(]*)(?:\s*(?:&&|;)\s*|[ \t]+|\n)(?=\S)/.exec(rest);
    if (!lead || lead[0].length === rest.length) break;
    rest = rest.slice(lead[0].length);
  }
  return rest;
}

export function shellKind(command: string): ShellKind {
  if (command.length > READ && !/^[^\n]*<</.test(mainCommand(command))) return 'ran';
  const text = mainCommand(command);
  if (/\$\(|`|<\(/.test(text) && /\$\(|`|<\(/.test(text.replace(/'[^']*'/g, ''))) return 'ran';
  let kind: ShellKind | null = null;
  for (const segment of segmentsOf(text)) {
    const one = segmentKind(segment);
    if (one === null) continue;
    if (one === 'ran') return 'ran';
    // A pause before a look is still a wait; a change outweighs both.
    if (kind === null || one === 'changed' || (one === 'waited' && kind === 'looked')) kind = one;
  }
  return kind ?? 'ran';
}

/** Returns the effect of one simple command; null where it neither looks nor changes anything on its own. */
export function segmentKind({ words, writes }: Pick<SimpleCommand, 'words' | 'writes'>): ShellKind | null {
  let first = 0;
  while (/^(?:[A-Za-z_]\w*=.*|sudo|time|command|nohup|then|do|if|!|\{|\()$/.test(words[first] ?? '')) first++;
  const name = words[first] ?? '';
  const program = (name.includes('/') ? name.replace(/^.*\//, '') : name).toLowerCase();
  const options = words.slice(first + 1);
  if (program === '') return writes ? 'changed' : null;
  if (program === 'xargs') {
    const inner = options.findIndex((word) => !word.startsWith('-') && !/^\d+$|^\{\}$/.test(word));
    return inner < 0 ? null : segmentKind({ words: options.slice(inner), writes });
  }
  if (program === 'timeout') return segmentKind({ words: options.slice(1), writes });
  // Without a command it prints its variables.
  if (program === 'env') {
    const inner = options.findIndex((word) => !word.startsWith('-') && !/^[A-Za-z_]\w*=/.test(word));
    if (inner >= 0) return segmentKind({ words: options.slice(inner), writes });
  }
  if (WAITS.has(program) || watches(options)) return 'waited';
  if (CHANGES.has(program)) return 'changed';
  if (NEUTRAL.has(program)) return writes ? 'changed' : null;
  if (!LOOKS.has(program)) return 'ran';
  const part = (program === 'git' ? withoutFolder(options) : options).find((word) => !word.startsWith('-'));
  if (CHANGING_PARTS[program]?.has(part ?? '')) return 'changed';
  if (program === 'gh') {
    if (!looksAtGithub(options)) return 'ran';
  } else if (LOOKING_PARTS[program] && !LOOKING_PARTS[program].has(part ?? '') && !looksAtBranches(program, options)) {
    return options.length === 1 && /^(?:-v|-V|--version)$/.test(options[0] ?? '') ? 'looked' : 'ran';
  }
  const writing = WRITING_OPTIONS[program];
  if (writing && options.some((word) => writing.test(word))) {
    return program === 'find' || program === 'fd' ? 'ran' : 'changed';
  }
  return writes ? 'changed' : 'looked';
}

function watches(options: readonly string[]): boolean {
  return options.some((word) => word.includes('--watch')) && WATCHING.test(options.join(' '));
}

/** True for `gh pr view 12`, `gh search code x`, and `gh api repos/a/b` if it sends nothing. */
function looksAtGithub(options: readonly string[]): boolean {
  const [topic, verb = ''] = options.filter((word) => !word.startsWith('-'));
  if (topic === 'search') return true;
  if (topic === 'api') {
    const method = options[options.findIndex((word) => word === '-X' || word === '--method') + 1];
    const sends = options.some((word) => /^-(?:f|F|-field|-raw-field|-input)$/.test(word));
    return (!sends && !options.some((word) => /^(?:-X|--method)/.test(word))) || method === 'GET';
  }
  return /^(?:view|list|diff|checks|status)$/.test(verb);
}

/** Reduces `git -C folder status` to `git status`. */
function withoutFolder(options: readonly string[]): readonly string[] {
  return /^-[cC]$/.test(options[0] ?? '') ? withoutFolder(options.slice(2)) : options;
}

const LISTS_BRANCHES = /^branch(?: -\S+)*(?: --(?:contains|merged|no-merged|list|points-at|sort|format)\b.*)?$/;

/** True for looks without a distinctive sub-command: `git branch`, `git remote -v`, `git tag -l`, `git stash list`, `git config --get x`. */
function looksAtBranches(program: string, options: readonly string[]): boolean {
  if (program !== 'git') return false;
  const line = withoutFolder(options).join(' ');
  if (/^branch(?: |$)/.test(line))
    return LISTS_BRANCHES.test(line) && !/ -(?:[dDmMcCfu]|-set-upstream|-delete|-move)/.test(line);
  return /^(?:remote(?: -v| show.*| get-url.*)?|tag(?: -l.*| --list.*)?|stash (?:list|show).*|config (?:--(?:global|local|system|show-origin) )*(?:--get|-l|--list).*|worktree list.*)$/.test(
    line,
  );
}
