/**
 * Splits `dist/main.js`: what is needed only where there is a session lies in `dist/later.js`, which is loaded at the first call of one of its
 * functions or classes. Neither holds a module of the other: later.js is handed what it uses of main.js, so that nothing is there twice.
 * The sources know nothing of it. esbuild itself splits only ES modules, and the extension host takes CommonJS.
 * What is handed over must not change afterwards, and no door may be used while the modules of main.js run for the first time.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { build } from 'esbuild';

/** How the later bundle is built: as a function that is given what it uses of the first. */
export const LATER = {
  entryPoints: ['later:doors'],
  format: /** @type {const} */ ('iife'),
  globalName: 'doors',
  banner: { js: 'module.exports = (shared) => {' },
  footer: { js: 'return doors; };' },
};

/**
 * @param {import('esbuild').BuildOptions} options of main.js, without these plugins
 * @param {string} root of the project
 * @param {RegExp} doors the modules by which the later bundle is entered: paths from the root. Of them main.js may use functions and classes
 *   only. What else only they need goes with them.
 */
export function splitLater(options, root, doors) {
  const name = (/** @type {string} */ path) => relative(root, path).replaceAll('\\', '/');
  /** @type {ReturnType<typeof plan> | undefined} */
  let planned;
  const seam = () => (planned ??= plan(options, doors, name));
  return { forMain: forMain(seam, root, name), forLater: forLater(seam, root, name) };
}

/**
 * Who takes what from the other side: names by module.
 * @param {import('esbuild').BuildOptions} options
 * @param {RegExp} isDoor
 * @param {(path: string) => string} name
 * @returns {Promise<{ early: Set<string>, doors: Map<string, string[]>, shared: Map<string, string[]> }>}
 */
async function plan(options, isDoor, name) {
  const main = await across(options, (path) => isDoor.test(name(path)), name);
  const early = new Set(main.inputs);
  const doors = [...main.taken.keys()];
  const later = await across(
    {
      ...options,
      entryPoints: undefined,
      stdin: { contents: doorsOf(doors), resolveDir: String(options.absWorkingDir) },
    },
    (path) => early.has(name(path)),
    name,
  );
  return { early, doors: main.taken, shared: later.taken };
}

const doorsOf = (/** @type {string[]} */ doors) =>
  doors.map((door, index) => `export * as door${index} from './${door}';`).join('\n');

/**
 * Bundles one side as an ES module, in which esbuild writes down what it takes from the other.
 * @param {import('esbuild').BuildOptions} options
 * @param {(path: string) => boolean} isOther
 * @param {(path: string) => string} name
 */
async function across(options, isOther, name) {
  const { metafile, outputFiles } = await build({
    ...options,
    format: 'esm',
    minify: false,
    sourcemap: false,
    write: false,
    metafile: true,
    outfile: 'dist/side.js',
    plugins: [
      {
        name: 'other-side',
        setup: (side) =>
          side.onResolve({ filter: /^\.|^[a-z@]/ }, async ({ path, pluginData, ...from }) => {
            if (pluginData === 'asked' || from.kind === 'entry-point') return undefined;
            const found = await side.resolve(path, { ...from, pluginData: 'asked' });
            return !found.external && isOther(found.path)
              ? { path: `other:${name(found.path)}`, external: true }
              : found;
          }),
      },
      ...(options.plugins ?? []),
    ],
  });
  const taken = new Map();
  const text = outputFiles?.[0]?.text ?? '';
  for (const [, names, , path] of text.matchAll(/^import (?:\{([^}]*)\}|(.*?)) from "other:(.*)";$/gm)) {
    if (names === undefined) throw new Error(`A name is needed for each thing that is taken from ${path}`);
    const all = names.split(',').map((one) => one.trim().split(' as ')[0]);
    taken.set(
      path,
      [...new Set([...(taken.get(path) ?? []), ...all])].filter((one) => one !== undefined),
    );
  }
  return { inputs: Object.keys(metafile.inputs), taken };
}

/** @param {() => ReturnType<typeof plan>} seam @param {string} root @param {(path: string) => string} name @returns {import('esbuild').Plugin} */
function forMain(seam, root, name) {
  return {
    name: 'later-from-main',
    setup(main) {
      main.onResolve({ filter: /^later:load$/ }, ({ path }) => ({ path, namespace: 'later' }));
      main.onResolve({ filter: /^\.\/later\.js$/, namespace: 'later' }, ({ path }) => ({ path, external: true }));
      main.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const { doors } = await seam();
        const door = name(path);
        const names = doors.get(door);
        if (names === undefined) return undefined;
        const index = [...doors.keys()].indexOf(door);
        const source = readFileSync(path, 'utf8');
        const stubs = names.map((one) => stub(one, `later().door${index}.${one}`, source, door));
        return {
          contents: ["import { later } from 'later:load';", ...stubs].join('\n'),
          loader: 'js',
          resolveDir: root,
        };
      });
      main.onLoad({ filter: /.*/, namespace: 'later' }, async () => {
        const { shared } = await seam();
        const modules = [...shared].map(([path, names], at) => ({
          path,
          names,
          as: (/** @type {string} */ one) => `${one}_${at}`,
        }));
        const imports = modules.map(
          ({ path, names, as }) =>
            `import { ${names.map((one) => `${one} as ${as(one)}`).join(', ')} } from './${path}';`,
        );
        const table = modules.map(
          ({ path, names, as }) => `'${path}': { ${names.map((one) => `${one}: ${as(one)}`).join(', ')} }`,
        );
        const load = `let loaded;\nexport const later = () => (loaded ??= require('./later.js')({\n${table.join(',\n')}\n}));`;
        return { contents: [...imports, load].join('\n'), loader: 'js', resolveDir: root };
      });
    },
  };
}

/** What stands for a function or class until it is called. */
function stub(
  /** @type {string} */ name,
  /** @type {string} */ real,
  /** @type {string} */ source,
  /** @type {string} */ file,
) {
  const kind = new RegExp(`^export (?:async )?(function|class) ${name}\\b`, 'm').exec(source)?.[1];
  if (kind === 'function') return `export const ${name} = (...given) => ${real}(...given);`;
  if (kind === 'class') return `export const ${name} = function (...given) { return new (${real})(...given); };`;
  throw new Error(`${name} of ${file} is neither a function nor a class, and cannot be loaded later`);
}

/** @param {() => ReturnType<typeof plan>} seam @param {string} root @param {(path: string) => string} name @returns {import('esbuild').Plugin} */
function forLater(seam, root, name) {
  return {
    name: 'later-with-main',
    setup(later) {
      later.onResolve({ filter: /^later:doors$/ }, ({ path }) => ({ path, namespace: 'later' }));
      later.onLoad({ filter: /.*/, namespace: 'later' }, async () => ({
        contents: doorsOf([...(await seam()).doors.keys()]),
        resolveDir: root,
      }));
      later.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
        const { early, shared } = await seam();
        const module = name(path);
        if (!early.has(module)) return undefined;
        const names = shared.get(module) ?? [];
        const contents = names.map((one) => `export const ${one} = shared['${module}'].${one};`).join('\n');
        return { contents, loader: 'js' };
      });
    },
  };
}
