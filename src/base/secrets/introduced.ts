import { isPath, isPlaceholder, isRandom } from './placeholder';
import { type SecretRule, hasDigit, hasDigitOrUpper, patternRule } from './rule';

const isNoPlaceholder = (secret: string): boolean => !isPlaceholder(secret);
/** False for a placeholder and for a value without a digit, which may be a word of a sentence. */
const isOpaque = (secret: string): boolean => isNoPlaceholder(secret) && hasDigit(secret);

/** True for base64 of `user:password` in printable characters. */
export function isCredentialPair(text: string): boolean {
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  return decoded.indexOf(':', 1) > 0 && /^[\x20-\x7e]+$/.test(decoded);
}

/** An argument of a command, bare or quoted. */
const ARGUMENT = String.raw`(?:\\{0,4}"(?<quoted>[^"\\\r\n]{1,200})|\\{0,4}'(?<single>[^'\\\r\n]{1,200})|(?<secret>[^\s"'\\|;&<>-][^\s"'\\|;&<>]{0,200}))`;
/** Text between a program and its option. A written-out line feed ends a command, as a real one does. */
const BETWEEN = String.raw`(?:(?!\\n)[^\n|;&]){0,200}?`;
/** A gap between words; a line may continue after a backslash. */
const GAP = String.raw`(?:[ \t]{1,8}(?:\\{1,4}(?:\r?\n|n)[ \t]{0,40})?|\\{1,4}(?:\r?\n|n)[ \t]{1,40})`;

/** Programs that take a password in a one-letter option, with that option. */
const COMMANDS: readonly (readonly [programs: readonly string[], option: string])[] = [
  [['mysql', 'mariadb'], '-p'],
  [['sshpass'], '-p[ \\t]{0,4}'],
  [
    [
      'docker login',
      'podman login',
      'nerdctl login',
      'buildah login',
      'registry login',
      'oras login',
      'crane auth login',
      'skopeo login',
      'az login',
      'oc login',
    ],
    '-p[ \\t=]{1,4}',
  ],
  [['redis-cli'], '-a[ \\t]{1,4}'],
  [['mongo'], '-p[ \\t]{1,4}'],
  [['ldapsearch', 'ldapmodify', 'ldapadd', 'ldapwhoami'], '-w[ \\t]{0,4}'],
  [['sqlcmd', 'bcp '], '-P[ \\t]{0,4}'],
  [['zip '], '-P[ \\t]{0,4}'],
  [['7z '], '-p'],
  [['rar '], '-h?p'],
  [
    ['ipmitool', 'xfreerdp', 'rdesktop', 'winexe', 'snmpwalk', 'impala-shell', 'cqlsh', 'clickhouse-client', 'ftp '],
    '(?:-[PAp]|/p:)[ \\t]{0,4}',
  ],
  [['keytool', 'jarsigner'], '-(?:store|key)pass[ \\t]{1,4}'],
  [['openssl'], '-(?:pass|passin|passout)[ \\t]{1,4}pass:'],
  [['cmdkey'], '/pass:'],
  [['gh secret set', 'gh variable set'], '(?:-b|--body)[ \\t=]{1,4}'],
  [['plink', 'pscp', 'psftp', 'putty', 'scp '], '-pw[ \\t]{1,4}'],
  [['net use', 'runas', 'wmic', 'psexec', 'schtasks'], '/(?:u|user):[^\\s"]{1,100}[ \\t]{1,4}'],
  [['ssh-keygen'], '-[NP][ \\t]{1,4}'],
];

/** Secrets that the words before them reveal. */
export const INTRODUCED: readonly SecretRule[] = [
  patternRule(
    'authorization scheme',
    ['authorization'],
    /authorization\\{0,8}["']?\s{0,4}[:=]\s{0,4}\\{0,8}["']?(?:bearer|basic|token|digest|apikey|negotiate|bot|key)(?:\s|\\{1,4}\r?\\{0,4}n){1,40}(?<secret>[^\s"'`,;\\]{4,4096})/i,
    (secret) => isNoPlaceholder(secret) && (hasDigitOrUpper(secret) || secret.length >= 16),
  ),
  patternRule(
    'authorization',
    ['authorization'],
    /authorization\\{0,8}["']?\s{0,4}[:=]\s{0,4}\\{0,8}["']?(?<secret>[A-Za-z0-9._~+/=-]{16,4096})/i,
    (secret) => hasDigit(secret) && !isPath(secret),
  ),
  patternRule(
    'bearer',
    ['bearer'],
    /bearer(?:\s{1,40}|\\{1,4}r?\\{0,4}n[ \t]{0,40})(?<secret>[A-Za-z0-9._~+/=-]{16,4096})/i,
    hasDigit,
  ),
  patternRule(
    'basic',
    ['basic'],
    /basic(?:\s{1,40}|\\{1,4}n[ \t]{0,40})(?<secret>[A-Za-z0-9+/]{8,512}={0,2})/i,
    isCredentialPair,
  ),
  patternRule(
    'header',
    [
      'api-key',
      'apikey',
      'x-auth',
      'x-access-token',
      'x-csrf-token',
      'x-vault-token',
      'private-token',
      'subscription-key',
      'x-amz-security-token',
      'app-key',
      'x-functions-key',
    ],
    /(?:api-key|apikey|x-auth-(?:token|key)|x-access-token|x-csrf-token|x-vault-token|private-token|subscription-key|x-amz-security-token|app-key|x-functions-key)\\{0,8}["']?\s{0,4}:\s{0,4}\\{0,8}["']?(?<secret>[^\s"',;\\]{8,4096})/i,
    hasDigit,
  ),
  patternRule(
    'cookie',
    ['cookie'],
    /cookie\\{0,8}["']?\s{0,4}:\s{0,4}\\{0,8}["']?(?<secret>[^\s"'=;\\]{1,80}=[^\r\n"'\\]{4,4096})/i,
  ),
  // scheme://user:password@host
  patternRule(
    'password of a URL',
    ['://'],
    /:\/\/[^\s/?#@:"'<>]{0,200}:(?<secret>[^\s/?#"'<>]{1,500})@/,
    isNoPlaceholder,
  ),
  // A password with an unescaped `/`, `?` or `#`. A number before the first of them is a port.
  patternRule(
    'raw password of a URL',
    ['://'],
    /:\/\/[^\s/?#@:"'<>]{1,200}:(?<secret>(?!\d{1,5}[/?#])(?:(?!:\/\/)[^\s"'<>,@]){1,200})@(?=[A-Za-z0-9[])/,
    // In a chain of URLs each pass would find only the next URL.
    (secret) => isNoPlaceholder(secret) && !secret.endsWith(':[redacted]'),
  ),
  // scheme://token@host
  patternRule('token of a URL', ['://'], /:\/\/(?<secret>[^\s/?#@:"'<>]{16,500})@/, isOpaque),
  patternRule(
    'query',
    ['?', '&'],
    /[?&](?:access_token|refresh_token|id_token|auth_token|token|api[_-]?key|apikey|secret|client_secret|password|passwd|pwd|sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature)=(?<secret>[^&\s"'#<>\\]{4,4096})/i,
    isNoPlaceholder,
  ),
  patternRule('query code', ['?', '&'], /[?&](?:key|code|auth)=(?<secret>[^&\s"'#<>\\]{12,1024})/i, hasDigit),
  // --password value, --token value
  patternRule(
    'option',
    ['--'],
    new RegExp(
      String.raw`--?(?:[a-z]{1,20}-){0,3}(?<name>password|passwd|passphrase|passcode|token|secret|api-?key|access-?key|secret-?key|account-?key|storepass|keypass)(?:=|${GAP})\\{0,4}["']?(?<secret>[^\s"'\\-][^\s"'\\]{3,1024})`,
      'i',
    ),
    (secret, { name = '' }) =>
      isNoPlaceholder(secret) &&
      !/^[A-Z_]+$/.test(secret) &&
      !/^(?:is|and|or|option|flag|to|from|for|the|in|of)$/.test(secret) &&
      // A word after `--token` belongs to a sentence.
      (/^pass/i.test(name) || !/^[a-z]+[.,]?$/.test(secret)),
  ),
  patternRule(
    'curl user',
    ['curl', 'wget', 'http '],
    /(?:curl|wget|http)(?=\s)[^\n|;]{0,300}?\s(?:-u|--user|--proxy-user|-U|-a)[\s=]{0,3}\\{0,4}["']?[^\s:"']{1,100}:(?<secret>[^\s"'\\]{1,200})/,
    isNoPlaceholder,
  ),
  patternRule(
    'smbclient',
    ['smbclient', 'net rpc', 'rpcclient'],
    /(?:smbclient|net rpc|rpcclient)(?=\s)[^\n|;]{0,300}?\s-U\s{0,3}["']?[^\s%"']{1,100}%(?<secret>[^\s"'\\]{1,200})/,
    isNoPlaceholder,
  ),
  patternRule(
    'netrc',
    ['login'],
    /login(?:\s|\\[nt]){1,20}\S{1,100}(?:\s|\\[nt]){1,20}password(?:\s|\\[nt]){1,20}(?<secret>[^\s\\]{1,200})/,
  ),
  ...COMMANDS.map(([programs, option]) => commandRule(programs, option)),
  patternRule(
    'htpasswd',
    ['htpasswd'],
    /htpasswd(?:[ \t]{1,4}[^\s|;]{1,40}){0,6}?[ \t]{1,4}-[A-Za-z]{0,6}b[A-Za-z]{0,6}(?:[ \t]{1,4}[^\s|;]{1,100}){1,6}?[ \t]{1,4}(?<secret>[^\s"'\\|;&-]{3,100})(?=\s{0,3}(?:$|[\n|;&\\"']))/,
    isNoPlaceholder,
  ),
  // echo hunter2 | sudo -S …
  patternRule(
    'piped password',
    ['echo', 'printf'],
    /(?:echo|printf)(?:[ \t]{1,4}-[A-Za-z]{1,3})?[ \t]{1,4}\\{0,4}["']?(?<secret>[^\s"'\\|<>$]{3,200})(?:\\n)?\\{0,4}["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-S|(?:sudo[ \t]{1,4})?(?:chpasswd|passwd[ \t]{1,4}--stdin|su[ \t])|[a-z]{2,12}[ \t][^\n|]{0,120}(?:--password-stdin|--with-token|--token-stdin|--passphrase-fd))/,
    isNoPlaceholder,
  ),
  // chpasswd <<< "bob:…"
  patternRule(
    'here string',
    ['chpasswd', '-stdin', '--with-token'],
    /(?:chpasswd|--?[a-z-]{0,20}stdin|--with-token)[ \t]{0,4}<<<[ \t]{0,4}\\{0,4}["']?(?:[^\s:"'\\]{1,60}:)?(?<secret>[^\s"'\\$]{3,200})/,
    isNoPlaceholder,
  ),
  // Credentials("realm", "host", "user", …)
  patternRule(
    'call with credentials',
    ['credentials('],
    /credentials\((?:\s{0,4}\\{0,4}"[^"\r\n\\]{0,100}\\{0,4}",){1,3}\s{0,4}\\{0,4}"(?<secret>[^"\r\n\\]{3,200})\\{0,4}"\s{0,4}\)/i,
    isNoPlaceholder,
  ),
  // The text of a QR code for joining a network.
  patternRule(
    'wifi code',
    ['wifi:'],
    /WIFI:(?:[A-OQ-Z]:[^;\r\n]{0,100};){0,4}P:(?<secret>[^;\s"'\\]{3,200})/,
    isNoPlaceholder,
  ),
  patternRule(
    'community of SNMP',
    ['snmp-server community '],
    /snmp-server community (?<secret>[^\s"'\\]{3,100})/i,
    (secret) => isNoPlaceholder(secret) && !/^(?:public|private)$/i.test(secret),
  ),
  patternRule(
    'secure string',
    ['convertto-securestring'],
    /convertto-securestring(?:[ \t]{1,4}-String)?[ \t]{1,4}\\{0,4}["'](?<secret>[^"'\r\n\\]{1,200})/i,
    isNoPlaceholder,
  ),
  // SQL
  patternRule(
    'identified by',
    ['identified'],
    /identified\s{1,4}(?:with\s{1,4}\S{1,40}\s{1,4})?(?:by|as)\s{1,4}(?:(?:password|values)\s{1,4})?(?:\\{0,4}["'](?<quoted>[^"'\r\n\\]{1,200})|(?<secret>[^\s"';\\]{4,200}))/i,
    (secret, { secret: bare }) =>
      bare === undefined ? isNoPlaceholder(secret) : isOpaque(secret) && /^[\w!#$%^*+~-]+$/.test(secret),
  ),
  patternRule(
    'with password',
    ['password'],
    /password(?:\sfor\s[^=\r\n]{1,100}=\s{0,4}|\s{0,4}(?:\(\s{0,4}|=\s{0,4}password\s{0,4}\(\s{0,4}|\s))\\{0,4}'(?<secret>[^'\r\n\\]{3,200})\\{0,4}'/i,
    (secret) => isNoPlaceholder(secret) && /[^a-z_]/.test(secret),
  ),
  // scott/tiger@database
  patternRule(
    'oracle',
    ['sqlplus', 'sqlldr', 'expdp', 'impdp', 'rman ', 'thin:', 'oci:', 'userid='],
    /(?:sqlplus(?:[ \t]{1,4}-[a-z]{1,10}){0,4}[ \t]{1,4}|(?:sqlldr|expdp|impdp|rman)[ \t]{1,4}(?:target[ \t]{1,4})?|(?:thin|oci):|userid=)\\{0,4}["']?[A-Za-z][\w$#.-]{0,40}\/\\{0,4}["']?(?<secret>[^\s"'@\\/]{3,200})\\{0,4}["']?@/i,
    isNoPlaceholder,
  ),
  // Commands from a client to a server, alone in their line (PASS …, AUTH …), and the same in a settings file.
  patternRule(
    'said to a server',
    ['auth ', 'pass ', 'requirepass ', 'masterauth ', 'identify '],
    /(?:AUTH(?:[ \t]PLAIN|[ \t]LOGIN|[ \t]default)?|PASS|IDENTIFY|(?:requirepass|REQUIREPASS|masterauth|MASTERAUTH))[ \t]{1,4}\\{0,4}["']?(?<secret>[^\s"'\\]{6,300})(?=\\{0,4}["']?[ \t]{0,8}(?:$|[\r\n\u2502]|\\{1,4}[rn]|<))/,
    (secret) => isOpaque(secret) && /[A-Za-z]/.test(secret) && !isPath(secret),
  ),
  // ACL SETUSER bob on >…
  patternRule(
    'user of Redis',
    ['setuser'],
    /setuser[ \t]{1,4}\S{1,80}(?:[ \t]{1,4}[^\s>]\S{0,80}){0,8}?[ \t]{1,4}>(?<secret>[^\s"'\\]{3,200})/i,
    isNoPlaceholder,
  ),
  // expect "assword:" and the text that is sent next
  patternRule(
    'sent to a prompt',
    ['assword', 'assphrase'],
    /ass(?:word|phrase)[^\n]{0,40}(?:\n|\\n|;)[^\n"']{0,40}?send(?:line)?[ \t(]{1,4}(?:--[ \t])?\\{0,4}["'](?<secret>[^\s"'\\$]{3,200})/i,
    isNoPlaceholder,
  ),
  // wandb login …, ngrok config add-authtoken …
  patternRule(
    'login',
    ['login ', 'authtoken ', 'activate '],
    /(?:login|authtoken|activate)[ \t]{1,4}(?:-\S{1,20}[ \t]{1,4}){0,2}(?<secret>[A-Za-z0-9_-]{20,200})(?![\w./@-])/,
    (secret) => hasDigit(secret) && isRandom(secret),
  ),
  // host:port:database:user:password, a line of .pgpass
  patternRule(
    'pgpass',
    [':5432:', ':5433:', ':6432:', ':3306:', ':*:'],
    /:(?:\d{1,5}|\*):[^\s:]{1,63}:[^\s:/]{1,63}:(?<secret>[^\s:\\"']{1,200})(?=:?(?:\s|$)|\\{1,8}[nr]|["'])/,
    isNoPlaceholder,
  ),
  // Hashes of passwords: shadow, htpasswd, Django, argon2.
  patternRule(
    'crypt hash',
    [
      '$1$',
      '$2a$',
      '$2b$',
      '$2x$',
      '$2y$',
      '$5$',
      '$6$',
      '$7$',
      '$y$',
      '$gy$',
      '$apr1$',
      '$argon2',
      '$pbkdf2',
      '$scrypt',
      'pbkdf2_sha',
      '{sha}',
      '{ssha}',
      '{ssha512}',
    ],
    /(?:\$(?:1|2[abxy]|5|6|7|g?y|apr1|argon2(?:id|i|d)|pbkdf2(?:-sha\d{1,3})?|scrypt)\$|pbkdf2_sha\d{1,3}\$|\{S?SHA(?:512)?\})(?<secret>[A-Za-z0-9./$=,+-]{20,256})/i,
  ),
  patternRule('JSON Web Key', ['"d'], /"d\\{0,8}"\s{0,4}:\s{0,4}\\{0,8}"(?<secret>[A-Za-z0-9_-]{40,1024})/i),
  // aws configure set aws_secret_access_key …
  patternRule(
    'aws configure',
    ['aws_secret_access_key', 'aws_session_token'],
    /aws_(?:secret_access_key|session_token)[ \t]{1,4}\\{0,4}["']?(?<secret>[A-Za-z0-9/+=]{16,2048})/i,
    hasDigit,
  ),
  patternRule(
    'said',
    ['password is', 'passwort ist', 'passcode is', 'token is'],
    /(?:password|passwort|passcode|token) (?:is|ist)[: \t]{1,4}\\{0,4}["'`]?(?<secret>[^\s"'`,\\]{6,200})/i,
    (secret) => isOpaque(secret) && /[A-Za-z]/.test(secret),
  ),
];

function commandRule(programs: readonly string[], option: string): SecretRule {
  const names = programs.map((program) => program.trim());
  const sticky = new RegExp(
    String.raw`(?:${names.join('|')})[a-z]{0,8}(?=[ \t])${BETWEEN}(?<=[ \t])${option}${ARGUMENT}`,
    'dy',
  );
  return {
    id: `command ${names[0] ?? ''}`,
    words: programs,
    look(text, at) {
      sticky.lastIndex = at;
      const match = sticky.exec(text);
      const groups = match?.indices?.groups;
      const range = groups?.['quoted'] ?? groups?.['single'] ?? groups?.['secret'];
      return range && !isPlaceholder(text.slice(range[0], range[1])) ? { secret: range } : undefined;
    },
  };
}
