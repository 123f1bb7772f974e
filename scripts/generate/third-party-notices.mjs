// Writes THIRD_PARTY_NOTICES.txt: the licences of third-party work that is shipped.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { WASM } from '../bundles.mjs';
import { ICON_FONT } from '../icon-font.mjs';
import { bundledPackages } from '../supply/bundled.mjs';
import { partsInside } from '../supply/inside.mjs';

const RULE = '-'.repeat(80);

export async function thirdPartyNotices() {
  return [{ path: 'THIRD_PARTY_NOTICES.txt', text: await noticesOf('extension') }];
}

/** Returns the text for one of the two packages; the other one does not contain everything named in it. */
export async function noticesOf(/** @type {'extension' | 'npm'} */ kind) {
  const packages = await bundledPackages(kind);
  const parts = await partsInside();
  const head = [
    'Third-party notices',
    '',
    'Unstuck contains code and data of others, under the licences below. This file is made from what the bundler put into the package',
    '(npm run generate).',
    '',
    ...packages.map(({ name, version, licence }) => `  ${name} ${version}: ${licence}`),
    ...parts.map((part) => `  ${titleOf(part)}: ${part.licence}, within ${part.within}`),
    '',
    `dist/sql-wasm.wasm is the file of the same name of ${WASM.package}, unchanged.`,
    `sha256 ${createHash('sha256').update(readFileSync(WASM.from)).digest('hex')}`,
    ...(kind === 'extension'
      ? [`${ICON_FONT.to} is changed: of the font of ${ICON_FONT.package} it holds the icons that are shown.`]
      : []),
    '',
  ];
  const sections = [
    ...packages.map(({ name, version, texts }) => section(`${name} ${version}`, texts)),
    ...parts.map((part) => section(titleOf(part), [part.text])),
  ];
  return [...head, ...sections].join('\n');
}

const titleOf = ({ name, version }) => (version === undefined ? name : `${name} ${version}`);

function section(title, texts) {
  return `${RULE}\n${title}\n${RULE}\n\n${texts.map(plain).join('\n\n')}\n`;
}

/** Returns a licence without traces of an editor: byte order mark, carriage returns, blanks at the ends of lines. */
const plain = (text) =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+$/gm, '')
    .trim();
