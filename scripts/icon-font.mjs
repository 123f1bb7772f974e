// Makes the icon font of the webviews, with only those codicons that they show. The whole font would be a twentieth of the package.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';
import subsetFont from 'subset-font';
import { projectRoot } from './bundles.mjs';

const require = createRequire(import.meta.url);
const TABLE = join(projectRoot, 'src/editor/webview/icons.ts');

export const ICON_FONT = {
  package: '@vscode/codicons',
  from: join(dirname(require.resolve('@vscode/codicons/package.json')), 'dist/codicon.ttf'),
  to: 'dist/codicon.ttf',
};

/** @returns {Promise<Buffer>} the font with the icons of src/editor/webview/icons.ts, the same bytes each time */
export async function iconFont() {
  const { code } = transformSync(readFileSync(TABLE, 'utf8'), { loader: 'ts', format: 'esm' });
  const { ICONS } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return subsetFont(readFileSync(ICON_FONT.from), Object.values(ICONS).join(''), { targetFormat: 'truetype' });
}

export async function writeIconFont() {
  writeFileSync(join(projectRoot, ICON_FONT.to), await iconFont());
}
