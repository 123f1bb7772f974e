// Which licences we take, and which packages of a lock file have another one.

/** Of what we ship: MIT can be shipped with these, as long as their notices come along (THIRD_PARTY_NOTICES.txt). */
const SHIPPED = new Set([
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND MIT',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  // Gives the work to the public: no condition at all.
  'Unlicense',
]);

/** Of the tools that build and test: nothing of them is in the package. */
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

/** Microsoft's program that signs packages, under a licence of its own. vsce names it; nothing here starts it. */
const KNOWN = /^@vscode\/vsce-sign(-|$)/;

/**
 * What stands in the way, one line each.
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

/** npm writes no licence of a package for another platform. It is a part of the one that names it, under the same licence. */
function licenceOfOwner(name, installed) {
  const owner = Object.values(installed).find(({ optionalDependencies }) => optionalDependencies?.[name] !== undefined);
  return owner?.license ?? 'none';
}
