/** Characters of the codicon font that the panel uses, for text and canvas alike. A test compares them with the package. */
export const ICONS = {
  account: '\ueb99',
  'arrow-right': '\uea9c',
  'bell-dot': '\ueb9a',
  'bell-slash': '\uec08',
  check: '\ueab2',
  checklist: '\ueab3',
  'chevron-down': '\ueab4',
  'chevron-right': '\ueab6',
  'circle-slash': '\ueabd',
  'comment-discussion': '\ueac7',
  copy: '\uebcc',
  database: '\ueace',
  'debug-disconnect': '\uead0',
  'debug-pause': '\uead1',
  'debug-restart': '\uead2',
  ellipsis: '\uea7c',
  error: '\uea87',
  'eye-closed': '\ueae7',
  folder: '\uea83',
  fold: '\ueaf5',
  'git-branch': '\uea68',
  'git-commit': '\ueafc',
  history: '\uea82',
  hubot: '\ueb08',
  info: '\uea74',
  lightbulb: '\uea61',
  loading: '\ueb19',
  lock: '\uea75',
  pass: '\ueba4',
  pulse: '\ueb31',
  question: '\ueb32',
  'screen-full': '\ueb4c',
  search: '\uea6d',
  send: '\uec0f',
  server: '\ueb50',
  'symbol-misc': '\ueb63',
  thumbsdown: '\ueb6b',
  trash: '\uea81',
  warning: '\uea6c',
  watch: '\ueb7c',
  'zoom-in': '\ueb81',
  'zoom-out': '\ueb82',
} as const;

export type IconName = keyof typeof ICONS;

/** Returns the character of an icon that the host's words name; a question mark if this font table has none. */
export function iconCharacter(name: string): string {
  return Object.hasOwn(ICONS, name) ? ICONS[name as IconName] : ICONS.question;
}
