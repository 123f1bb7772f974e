// The panel outside the editor: its real bundle in Chromium, with the content policy that the editor sets and a stand-in for the editor's API.
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { iconFont } from '../../../scripts/icon-font.mjs';
import { THEMES } from './panel-themes.mjs';

const root = resolve(import.meta.dirname, '../../..');
const ORIGIN = 'http://panel.test';
const NONCE = 'cGFuZWwgdGVzdA';

/** The panel, its style sheet and its fixtures. */
export function buildPanel() {
  return buildPage(
    'panel',
    'src/editor/webview/entries/panel.ts',
    'test/unit/editor/webview/support/panel-fixtures.ts',
  );
}

/** Builds a page, its style sheet and its fixtures as the project does. Returns them by the name under which the page requests them. */
export async function buildPage(name, script, fixtures) {
  const bundle = async (options) => {
    const result = await build({
      absWorkingDir: root,
      bundle: true,
      write: false,
      minify: true,
      logLevel: 'warning',
      ...options,
    });
    return Buffer.from(result.outputFiles[0].contents);
  };
  const browser = {
    format: 'iife',
    target: 'es2022',
    platform: 'browser',
    tsconfig: 'src/editor/webview/tsconfig.json',
  };
  return {
    [`${name}.js`]: await bundle({ entryPoints: [script], ...browser }),
    [`${name}.css`]: await bundle({ entryPoints: [`src/editor/webview/${name}.css`], external: ['*.ttf'] }),
    'fixtures.js': await bundle({
      entryPoints: [fixtures],
      ...browser,
      globalName: 'fixtures',
    }),
    'codicon.ttf': await iconFont(),
  };
}

const TYPES = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf', html: 'text/html' };

/** The page as the editor makes it: strict policy, theme in the root's style, kind of theme in the body's classes. */
function html(theme, name, files) {
  const policy = [
    `default-src 'none'`,
    `style-src 'nonce-${NONCE}'`,
    'font-src data:',
    `script-src 'nonce-${NONCE}'`,
  ].join('; ');
  const font = `url(data:font/ttf;base64,${files['codicon.ttf'].toString('base64')})`;
  const style = files[`${name}.css`].toString().replaceAll('url(./codicon.ttf)', font);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">${style}</style>
<title>${name}</title>
</head>
<body class="${THEMES[theme].classes}">
<script nonce="${NONCE}">
  window.sent = [];
  window.problems = [];
  // Only a reload keeps what the page has stored.
  if (performance.getEntriesByType('navigation')[0].type !== 'reload') sessionStorage.clear();
  window.state = JSON.parse(sessionStorage.getItem('state') ?? 'null');
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => window.sent.push(message),
    getState: () => window.state,
    setState: (state) => { window.state = state; sessionStorage.setItem('state', JSON.stringify(state)); },
  });
  addEventListener('securitypolicyviolation', (event) => window.problems.push(event.violatedDirective + ' ' + event.blockedURI));
  addEventListener('error', (event) => window.problems.push(String(event.message)));
  addEventListener('unhandledrejection', (event) => window.problems.push(String(event.reason)));
  for (const [name, value] of Object.entries(${JSON.stringify(THEMES[theme].variables)})) {
    document.documentElement.style.setProperty(name, value);
  }
</script>
<script nonce="${NONCE}" src="${ORIGIN}/fixtures.js"></script>
<script nonce="${NONCE}">${files[`${name}.js`]}</script>
</body>
</html>`;
}

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
}

/** Opens the panel in a theme and size. */
export function openPanel(browser, files, options) {
  return openPage(browser, files, 'panel', options);
}

/** The scale of each context, which cannot change. */
const scales = new WeakMap();

/** Returns the page for a scale, in a fresh state. All tests use the same one, because another one would start another process. */
async function emptyPage(browser, scale) {
  const open = browser.contexts().find((context) => scales.get(context) === scale);
  if (!open) {
    const context = await browser.newContext({ deviceScaleFactor: scale, timezoneId: 'UTC' });
    scales.set(context, scale);
    return context.newPage();
  }
  const [page] = open.pages();
  // Otherwise the pointer would rest on whatever the next page has there.
  await page.mouse.move(0, 0);
  await page.unrouteAll();
  return page;
}

/** Opens any of our pages. */
export async function openPage(
  browser,
  files,
  name,
  { theme = 'dark', width = 1280, height = 900, scale = 1, reduced = false } = {},
) {
  const page = await emptyPage(browser, scale);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ reducedMotion: reduced ? 'reduce' : 'no-preference' });
  const all = { ...files, 'index.html': Buffer.from(html(theme, name, files)) };
  await page.route(`${ORIGIN}/**`, (route) => {
    const asked = new URL(route.request().url()).pathname.slice(1);
    const body = all[asked];
    const contentType = TYPES[asked.split('.').at(-1)] ?? 'application/octet-stream';
    return body ? route.fulfill({ body, contentType }) : route.fulfill({ status: 404 });
  });
  await page.goto(`${ORIGIN}/index.html`);
  return page;
}

/** Changes the theme of an open page, as the editor does. */
export async function setTheme(page, theme) {
  await page.evaluate(({ classes, variables }) => {
    document.body.className = classes;
    document.documentElement.removeAttribute('style');
    for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
  }, THEMES[theme]);
  await frames(page);
}

/** Changes the width of an open page. */
export async function setWidth(page, width) {
  await page.setViewportSize({ width, height: page.viewportSize().height });
  await frames(page);
}

/** Posts what a fixture returns, as the host does, and waits until it is drawn. */
export async function post(page, fixture, wrap, ...args) {
  await page.evaluate(
    async ([name, key, rest]) => {
      const made = window.fixtures[name](...rest);
      const received = new Promise((done) => addEventListener('message', done, { once: true }));
      window.postMessage(key === null ? made : { type: key, [key]: made }, '*');
      await received;
    },
    [fixture, wrap, args],
  );
  await page.locator('h1').waitFor();
  await frames(page);
}

/** Sends the snapshot of a fixture, as the host does, and waits until it is drawn. */
export function show(page, fixture, ...args) {
  return post(page, fixture, 'snapshot', ...args);
}

/** Waits until changes are drawn: boxes in the first frame, what is measured by them and canvases in the next ones. */
export async function frames(page) {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
}
