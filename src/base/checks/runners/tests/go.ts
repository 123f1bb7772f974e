import { type Complaint, testCounts, distinct, failure, type OutputParser, spot } from '../lines';

const FAIL = /^(\s*)--- FAIL: (\S+) \(/;
const PACKAGE = /^(?:FAIL|ok {2})\t(\S+)(?:\t| )/;
const SAID = /^\s+(\S+\.go):(\d+): ?(.*)$/;
const STACK = /^\s+(\S+\.go):(\d+) \+0x/;
/** Stack frames in Go's own library. */
const OWN_FRAME = /[\\/]src[\\/](?:runtime|testing)[\\/]/;
const NO_WORDS = 'failed';
const COMPILER = /^(?:vet(?:\.exe)?: )?(\.{0,2}[\w./\\-]*\.go):(\d+):(\d+): (.+)$/;

interface Failing {
  readonly test: string;
  /** True for a group whose subtest failed: it has no message of its own. */
  group: boolean;
  failure: Complaint;
}

/** Parses the output of `go test`, `go build` and `go vet`. */
export const parseGo: OutputParser = (all) => {
  const lines = fromJson(all);
  const packages = lines.flatMap((line) => PACKAGE.exec(line)?.[1] ?? []);
  const compiles = lines.some((line) => /^# \S+/.test(line)) && lines.some((line) => COMPILER.test(line));
  if (packages.length === 0 && !lines.some((line) => FAIL.test(line)) && !compiles) return null;
  const base = commonFolder(packages);
  const failures: Complaint[] = [];
  /** Tests of the package that is being read; its name follows them. */
  let open: Failing[] = [];
  /** With -v the message of a test is above its verdict. */
  const above = new Map<string, Complaint>();
  let running = '';
  let panic = '';
  let failed = 0;

  const endPackage = (folder: string): void => {
    for (const one of open) {
      if (one.group) continue;
      failed++;
      const { file } = one.failure;
      failures.push({
        ...one.failure,
        ...(file !== undefined && { file: inFolder(folder, file) }),
        ...(folder !== '' && { suite: folder }),
      });
    }
    open = [];
    above.clear();
    panic = '';
  };

  for (const [index, line] of lines.entries()) {
    const run = /^=== (?:RUN|CONT|NAME)\s+(\S+)/.exec(line);
    if (run) running = run[1] ?? '';
    const test = FAIL.exec(line)?.[2];
    const last = open.at(-1);
    if (test !== undefined) {
      for (const one of open) if (test.startsWith(`${one.test}/`)) one.group = true;
      open.push({ test, group: false, failure: above.get(test) ?? failure(NO_WORDS, undefined, test) });
      continue;
    }
    const stack = STACK.exec(line);
    if (stack && last && panic !== '' && last.failure.message === NO_WORDS && !OWN_FRAME.test(line)) {
      last.failure = failure(panic, spot(stack[1], stack[2]), last.test);
      continue;
    }
    const words = SAID.exec(line);
    if (words) {
      const message = `${line}${lines[index + 1] ?? ''}`.includes('Error Trace:')
        ? testify(lines, index)
        : (words[3] ?? '');
      const said = failure(message, spot(words[1], words[2]), running);
      if (last?.failure.message === NO_WORDS) last.failure = { ...said, test: last.test };
      else if (running !== '' && !above.has(running)) above.set(running, said);
      continue;
    }
    if (line.startsWith('panic: ') && panic === '') panic = line.replace(/ \[recovered\]$/, '');
    const compiler = COMPILER.exec(line);
    if (compiler) {
      const file = compiler[1]?.replace(/^\.[\\/]/, '');
      failures.push(failure(compiler[4] ?? '', spot(file, compiler[2], compiler[3])));
    }
    const of = PACKAGE.exec(line)?.[1];
    if (of !== undefined) endPackage(of.slice(base.length).replace(/^\//, ''));
  }
  endPackage('');
  const passed = lines.filter((line) => /^\s*--- PASS: /.test(line)).length;
  const fine = failures.length === 0 && !lines.some((line) => /^FAIL(?:\t|$)/.test(line));
  return {
    runner: 'go',
    failures: distinct(failures),
    ...testCounts({ failed: failed > 0 ? failed : fine ? 0 : undefined, passed: passed > 0 ? passed : undefined }),
  };
};

/** Unwraps `go test -json`, which wraps each line of the plain form in a record. */
function fromJson(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.startsWith('{"Time":') || line.startsWith('{"ImportPath":'))) return lines;
  return lines.flatMap((line) => {
    if (!line.startsWith('{')) return [line];
    const output = /"Output":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
    if (output === undefined) return [];
    try {
      return [(JSON.parse(`"${output}"`) as string).replace(/\n$/, '')];
    } catch {
      return [];
    }
  });
}

/** Reads an assertion of testify, which puts the places first and the words into columns below. */
function testify(lines: readonly string[], from: number): string {
  const columns: string[] = [];
  for (const line of lines.slice(from + 1, from + 20)) {
    if (/^\s*(?:Test:|--- |FAIL|=== )/.test(line)) break;
    const found = /^\s+Error:\s+(\S.*)$/.exec(line) ?? /^\s+((?:expected|actual) *: .*)$/.exec(line);
    if (found?.[1] !== undefined) columns.push(found[1].trim());
  }
  return columns.join(' ');
}

/** Returns the module, as far as the names of its packages reveal it. */
function commonFolder(packages: readonly string[]): string {
  const [first = [], ...rest] = packages.map((name) => name.split('/'));
  let length = first.length;
  for (const other of rest) {
    let same = 0;
    while (same < length && other[same] === first[same]) same++;
    length = same;
  }
  return first.slice(0, length).join('/');
}

function inFolder(folder: string, file: string): string {
  return folder === '' || /^[\\/]|^[A-Za-z]:/.test(file) ? file : `${folder}/${file}`;
}
