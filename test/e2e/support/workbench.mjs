/**
 * A person's actions and views in the VS Code window, as calls on a page. Every locator was tried on VS Code
 * 1.139.1 and 1.100.3. Locators wait on their own; the calls that act return when the act is done.
 */
import { saveScreenshot } from '../../support/host.mjs';

/** @typedef {import('playwright-core').Locator} Locator */
/** @typedef {import('playwright-core').FrameLocator} FrameLocator */
/** @typedef {ReturnType<typeof workbench>} Workbench */

const extensionId = 'unstuck.unstuck';

/** A heading of the view Incidents. What ran a minute ago is under Yesterday just after midnight. */
export const HISTORY_GROUP = /^(Today|Yesterday|This week|Earlier)/;

/** Names as the theme picker shows them, with the class that the window then has. */
const themeClasses = {
  'Dark Modern': 'vs-dark',
  'Light Modern': 'vs',
  'Dark High Contrast': 'hc-black',
  'Light High Contrast': 'hc-light',
};

/** @param {import('playwright-core').Page} page a window of `startHost` */
export function workbench(page) {
  const quickInput = page.locator('.quick-input-widget');
  const input = quickInput.locator('input.input');
  const quickPickRows = quickInput.locator('.quick-input-list .monaco-list-row');
  const quickPickRow = (/** @type {string} */ label) =>
    quickPickRows.filter({ has: page.locator('.label-name', { hasText: exactly(label) }) }).first();

  /** Resolves when the quick input is open and receives what is typed. */
  const quickInputHasFocus = () => quickInput.locator('input.input:focus').waitFor();

  /** Chooses the row with exactly this label, after typing it so that a long list shows it. */
  async function pick(/** @type {string} */ label) {
    await input.fill(label);
    await quickPickRow(label).click();
  }

  /**
   * Runs a command from the palette. The list is made when the palette opens, so it is opened again while the command
   * is not in it: just after the start the extension's commands are not known yet. It is also opened again if it closes at
   * once, because a panel took the focus back late (https://github.com/microsoft/vscode/issues/93950).
   * @param {string} title with its category, as in `Unstuck: Nudge`
   * @param {{ timeout?: number }} [limits] milliseconds
   */
  async function runCommand(title, { timeout = 60_000 } = {}) {
    for (const giveUp = Date.now() + timeout; ; ) {
      await page.keyboard.press('F1');
      const row = quickPickRow(title);
      const isRun = await input
        .fill(`>${title}`, { timeout: 3_000 })
        .then(() => row.click({ timeout: 3_000 }))
        .then(
          () => true,
          () => false,
        );
      if (isRun) return;
      await page.keyboard.press('Escape');
      if (Date.now() > giveUp) throw new Error(`The command palette has no "${title}".`);
    }
  }

  const statusItem = (/** @type {string} */ id) => page.locator(`[id="${extensionId}.${id}"]`);
  const activityBarItem = (/** @type {string} */ title) =>
    page.locator('.activitybar .action-item').filter({ has: page.locator(`a.action-label[aria-label^="${title}"]`) });
  const rows = page.locator('.sidebar .pane-body .monaco-list-row');
  const toasts = page.locator('.notifications-toasts .notification-list-item');
  const toast = (/** @type {string | RegExp} */ text) => toasts.filter({ hasText: text }).first();
  const dialog = page.locator('.monaco-dialog-box');

  return {
    page,

    // Status bar

    /** @param {string} id of `createStatusBarItem`, without the extension's id */
    statusItem,
    /** @param {string} id @returns {Promise<string>} its text without the icon */
    statusText: async (id) => (await statusItem(id).innerText()).trim(),

    // Activity bar and its views

    activityBarItem,
    /** @returns {Locator} the number on the icon; hidden when there is none */
    activityBarBadge: (/** @type {string} */ title) => activityBarItem(title).locator('.badge-content'),
    /** Shows the view container. Does nothing if it is already shown, because a click would hide it. */
    openViewContainer: async (/** @type {string} */ title) => {
      await activityBarItem(title).waitFor();
      const heading = page.locator('.sidebar .composite.title h2', { hasText: title });
      // After a reload it comes back on its own, a moment after its icon: a click in between would hide it again.
      const isShown = () =>
        heading.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        );
      for (let tries = 0; !(await isShown()); tries++) {
        if (tries === 5) throw new Error(`The view container "${title}" does not open.`);
        await activityBarItem(title).click();
      }
    },
    /** @returns {Locator} the header of a view, which also folds it */
    viewHeader: (/** @type {string} */ title) =>
      page.locator('.sidebar .pane-header').filter({ has: page.locator('.title', { hasText: exactly(title) }) }),
    /** @returns {Locator} a button in the header of a view */
    viewAction: (/** @type {string} */ view, /** @type {string} */ action) =>
      page.locator(`.sidebar .pane-header[aria-label^="${view}"] .action-label[aria-label^="${action}"]`),
    /** @returns {Locator} the content of a view without rows: text, links, buttons */
    welcome: page.locator('.sidebar .welcome-view-content'),
    /** Rows of all trees in the side bar. */
    rows,
    row: (/** @type {string | RegExp} */ text) => rows.filter({ hasText: text }).first(),
    /** Clicks the button that a row shows under the pointer. */
    clickRowAction: async (/** @type {Locator} */ row, /** @type {string} */ title) => {
      await row.hover();
      await row.locator(`.actions .action-label[aria-label^="${title}"]`).click();
    },
    /** Chooses an item of the context menu. Its name is the command's title without the category. */
    chooseFromMenu: async (/** @type {Locator} */ target, /** @type {string} */ item) => {
      await target.click({ button: 'right' });
      // A menu ignores the release of the button in its first 100 ms: it may end the click that opened the menu.
      await page.getByRole('menuitem', { name: item, exact: true }).click({ delay: 200 });
    },

    /** A button in the title bar of the editor in front. */
    editorAction: (/** @type {string} */ name) =>
      page.locator('.editor-group-container.active .editor-actions').getByRole('button', { name }),

    // Palette, quick pick, input box

    runCommand,
    quickInput,
    input,
    quickInputHasFocus,
    quickPickRows,
    quickPickRow,
    /** Names of the rows that a person sees. A list keeps rows of the previous one out of sight, to use them again. */
    quickPickNames: () =>
      quickPickRows.locator('.label-name').evaluateAll((names) =>
        names
          .filter((name) => {
            const { left, top, width, height } = name.getBoundingClientRect();
            const hit = document.elementFromPoint(left + Math.min(width, 20) / 2, top + height / 2);
            return hit?.closest('.monaco-list-row') === name.closest('.monaco-list-row');
          })
          .map((name) => name.innerText),
      ),
    pick,
    /** Types a text into the open input box and confirms it. */
    answer: async (/** @type {string} */ text) => {
      await input.fill(text);
      await input.press('Enter');
    },

    // Notifications and dialogs

    toasts,
    toast,
    toastButton: (/** @type {string | RegExp} */ text, /** @type {string} */ name) =>
      toast(text).getByRole('button', { name, exact: true }),
    toastTexts: () => toasts.locator('.notification-list-item-message').allInnerTexts(),
    /** A modal dialog; one at a time. */
    dialog,
    dialogButton: (/** @type {string} */ name) => dialog.getByRole('button', { name, exact: true }),

    // Editors and webviews

    tab: (/** @type {string} */ title) => page.locator('.tabs-container .tab').filter({ hasText: title }),
    closeEditors: () => runCommand('View: Close All Editors'),
    /** Line and column of the cursor, as in `Ln 12, Col 1`. */
    cursor: page.locator('[id="status.editor.selection"]'),
    /** Opens a file of the workspace by its name. */
    openFile: async (/** @type {string} */ name) => {
      await page.keyboard.press('Control+P');
      await pick(name);
    },
    /**
     * The content of a webview of the extension that is on screen.
     * @param {number} [index] which, when there are several
     * @returns {FrameLocator}
     */
    webview: (index = 0) =>
      page
        .locator(`iframe.webview.ready[src*="extensionId=${extensionId}"]`)
        .filter({ visible: true })
        .nth(index)
        .contentFrame()
        .frameLocator('#active-frame'),

    // The whole window

    /** @param {keyof typeof themeClasses} name */
    setTheme: async (name) => {
      await runCommand('Preferences: Color Theme');
      await pick(name);
      await page.locator(`.monaco-workbench.${themeClasses[name]}`).waitFor();
      await quickInput.waitFor({ state: 'hidden' });
    },
    /** The bar above the window while the folder is not trusted; only with `trust: 'on'`. */
    restrictedModeBanner: page.locator('.part.banner', { hasText: 'Restricted Mode' }),
    /** Trusts the folder in the editor behind the banner's *Manage*, and closes that editor. */
    trustFolder: async () => {
      await runCommand('Workspaces: Manage Workspace Trust');
      const editor = page.locator('.workspace-trust-editor');
      await editor.getByRole('button', { name: 'Trust', exact: true }).click();
      await page.locator('.workspace-trust-editor.trusted').waitFor();
      await runCommand('View: Close Editor');
    },
    /** @param {string} name of a picture in test-output/screenshots/ @returns {Promise<string>} its path */
    screenshot: (name) => saveScreenshot(page, name),
  };
}

const exactly = (/** @type {string} */ text) => new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);
