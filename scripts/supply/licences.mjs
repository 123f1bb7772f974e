// Decides which licences are accepted, and finds the packages of a lock file that have another one.

/** For what is shipped: MIT work can be shipped with these, as long as their notices are included (THIRD_PARTY_NOTICES.txt). */
const SHIPPED = new Set([
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND MIT',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  // Dedicates the work to the public: no condition at all.
  'Unlicense',
]);

/** For the tools that build and test: none of them is in the package. */
const TOOLS = new Set([
  ...SHIPPED,
  '(BSD-2-Clause OR MIT OR Apache-2.0)',
  '(MIT AND Zlib)',
  '(MIT OR CC0-1.0)',
  '(MIT OR GPL-3.0-or-later)',
  '(MIT OR WTFPL)',
  'Artistic-2.0',
  'BlueOak-1.0.0',
  'CC-BY-3.0',
  'CC0-1.0',
  'MIT OR Apache-2.0',
  'MPL-2.0',
  'Python-2.0',
  'WTFPL',
]);

/** Microsoft's program that signs packages, under its own licence. vsce names it; nothing here starts it. */
const KNOWN = /^@vscode\/vsce-sign(-|$)/;

/**
 * Returns the problems, one line each.
 * @param {{ name: string, licence: string }[]} shipped
 * @param {Record<string, { license?: string, optionalDependencies?: Record<string, string> }>} installed `packages` of a lock file
 */
export function licenceProblems(shipped, installed) {
  const problems = [];
  for (const { name, licence } of shipped) {
    if (!SHIPPED.has(licence)) problems.push(`${name} is in the package, and its licence may not be: ${licence}`);
  }
  for (const [path, { license }] of Object.entries(installed)) {
    const name = path.replace(/^.*node_modules\//, '');
    if (path === '' || KNOWN.test(name)) continue;
    const licence = license ?? licenceOfOwner(name, installed);
    if (!TOOLS.has(licence)) problems.push(`${name} is a tool with a licence that is not known here: ${licence}`);
  }
  return problems;
}

/**
 * Returns the licence of a package for another platform, for which npm records none. It is a part of the package that names it, under the same
 * licence.
 */
function licenceOfOwner(name, installed) {
  const owner = Object.values(installed).find(({ optionalDependencies }) => optionalDependencies?.[name] !== undefined);
  return owner?.license ?? 'none';
}
