import { DIGITS, type Row, maker, token } from './make';

/**
 * Secrets of all kinds, none of them real. Values are made at run time and prefixes are written in pieces, so that no scanner takes this file for a
 * leak.
 */
export interface SecretKind {
  readonly kind: string;
  /** The text before it. */
  readonly before: string;
  /** The part that must not survive. */
  readonly secret: string;
  readonly after: string;
  /** Sign that reveals it: its own form, the lines around it, a command, or other words. */
  readonly says: 'itself' | 'lines' | 'command' | 'words';
}

const { pick, mixed, hex, small, big, base64, uuid, password } = maker(20_26);

const KEY = ['K', 'E', 'Y'].join('');

function keyBlock(kind: string): Row {
  const lines = Array.from({ length: 4 }, () => base64(48)).join('\n');
  return [
    `${kind}private key`,
    `-----BEGIN ${kind}PRIVATE ${KEY}-----\n`,
    lines,
    `\n-----END ${kind}PRIVATE ${KEY}-----`,
  ];
}

const snowflake = (): string => Buffer.from(`1${pick(DIGITS, 17)}`).toString('base64url');
const jwt = (): string =>
  [
    { alg: 'HS256', typ: 'JWT' },
    { sub: pick(DIGITS, 10), name: mixed(12) },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(mixed(43))
    .join('.');

const ROWS: readonly Row[] = [
  // Self-describing tokens
  token('OpenAI', ['sk', '-'], mixed(48)),
  token('OpenAI project', ['sk', '-proj-'], mixed(60)),
  token('Anthropic', ['sk', '-ant-', 'api03-'], mixed(80)),
  token('OpenRouter', ['sk', '-or-v1-'], hex(64)),
  token('GitHub', ['gh', 'p_'], mixed(36)),
  token('GitHub OAuth', ['gh', 'o_'], mixed(36)),
  token('GitHub App', ['gh', 's_'], mixed(36)),
  token('GitHub fine-grained', ['github', '_pat_'], mixed(82)),
  token('GitLab', ['gl', 'pat-'], mixed(20)),
  token('GitLab runner', ['gl', 'rt-'], mixed(20)),
  token('AWS access key', ['AK', 'IA'], big(16)),
  token('AWS temporary key', ['AS', 'IA'], big(16)),
  token('Google API', ['AI', 'za'], mixed(35)),
  token('Google OAuth', ['ya', '29.'], mixed(60)),
  token('Google client secret', ['GOC', 'SPX-'], mixed(28)),
  token('Google refresh', ['1/', '/0'], mixed(60)),
  token('Slack bot', ['xo', 'xb-'], `${pick(DIGITS, 12)}-${pick(DIGITS, 12)}-${mixed(24)}`),
  token('Slack app', ['xa', 'pp-1-'], `${big(11)}-${pick(DIGITS, 12)}-${hex(64)}`),
  token('Stripe', ['sk', '_live_'], mixed(24)),
  token('Stripe restricted', ['rk', '_live_'], mixed(24)),
  token('Stripe webhook', ['wh', 'sec_'], mixed(32)),
  token('npm', ['np', 'm_'], mixed(36)),
  token('PyPI', ['py', 'pi-AgEIcHlwaS5vcmc'], mixed(80)),
  token('RubyGems', ['ruby', 'gems_'], hex(48)),
  token('NuGet', ['oy', '2'], small(43)),
  token('Hugging Face', ['h', 'f_'], mixed(34)),
  token('Groq', ['gs', 'k_'], mixed(52)),
  token('Replicate', ['r', '8_'], mixed(37)),
  token('xAI', ['xa', 'i-'], mixed(80)),
  token('Perplexity', ['pp', 'lx-'], mixed(48)),
  token('Databricks', ['da', 'pi'], hex(32)),
  token('Notion', ['nt', 'n_'], `${pick(DIGITS, 11)}${mixed(35)}`),
  token('Linear', ['lin', '_api_'], mixed(40)),
  token('Figma', ['fi', 'gd_'], mixed(40)),
  token('Sentry', ['sntr', 'yu_'], hex(64)),
  token('Shopify', ['shp', 'at_'], hex(32)),
  token('DigitalOcean', ['do', 'p_v1_'], hex(64)),
  token('Docker Hub', ['dckr', '_pat_'], mixed(27)),
  token('Pulumi', ['pu', 'l-'], hex(40)),
  token('HashiCorp Vault', ['hv', 's.'], mixed(92)),
  token('Terraform Cloud', [mixed(14), '.atla', 'sv1.'], mixed(64)),
  token('New Relic', ['NR', 'AK-'], big(27)),
  token('Grafana', ['gl', 'sa_'], `${mixed(32)}_${hex(8)}`),
  token('Postman', ['PM', 'AK-'], `${hex(24)}-${hex(34)}`),
  token('SendGrid', ['S', 'G.'], `${mixed(22)}.${mixed(43)}`),
  token('Mailgun', ['ke', 'y-'], hex(32)),
  token('Mailchimp', [hex(32)], '-us14'),
  token('Twilio', ['S', 'K'], hex(32)),
  token('Telegram bot', [pick('123456789', 9), ':A'], `A${mixed(33)}`),
  token('Discord bot', [snowflake()], `.${mixed(6)}.${mixed(38)}`),
  token('Azure client secret', [mixed(6).slice(0, 3), '8', 'Q~'], mixed(34)),
  token('Azure DevOps', [mixed(52), 'JQQ', 'J99'], `${mixed(18)}AZDO${mixed(4 + 2)}`),
  token('Square', ['sq', '0atp-'], mixed(22)),
  token('Facebook', ['EA', 'A'], mixed(120)),
  token('Airtable', ['pa', 't'], `${mixed(14)}.${hex(64)}`),
  token('Atlassian', ['ATA', 'TT3'], mixed(180)),
  token('Doppler', ['dp.', 'pt.'], mixed(43)),
  token('Age', ['AGE-SECRET', '-KEY-1'], pick('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)),
  token('JSON Web Token', [], jwt()),
  token('Asana', ['1/', `1${pick(DIGITS, 15)}`, ':'], hex(32)),
  token('HubSpot', ['pat', '-na1-'], uuid()),
  token('Fly.io', ['fm', '2_'], mixed(120)),
  token('LangSmith', ['lsv2', '_pt_'], `${hex(32)}_${hex(10)}`),
  token('NVIDIA', ['nva', 'pi-'], mixed(64)),
  token('Supabase', ['sb', 'p_'], hex(40)),
  token('1Password', ['ops', '_eyJ'], mixed(260)),
  token('Alibaba', ['LT', 'AI'], mixed(20)),
  token('Dynatrace', ['dt0', 'c01.'], `${big(24)}.${big(64)}`),
  // Named by their service
  ['Datadog', 'datadog_key = "', hex(40), '"'],
  ['Heroku', 'HEROKU: "', uuid(), '"'],
  ['Cloudflare', 'cloudflare_api = ', small(40)],
  ['Algolia', 'algolia: ', small(32)],
  // Blocks
  keyBlock(''),
  keyBlock('RSA '),
  keyBlock('EC '),
  keyBlock('OPENSSH '),
  keyBlock('ENCRYPTED '),
  ['PuTTY key', 'Private-Lines: 2\n', `${mixed(64)}\n${mixed(40)}`, '\nPrivate-MAC: 0'],
  // Web addresses
  ['password of a URL', 'postgres://app:', password(), '@db.example.com:5432/app'],
  ['password with a slash', 'postgres://app:', `ab/${mixed(9)}`, '@db.example.com:5432/app'],
  ['password with a hash', 'mysql://app:', `ab#${mixed(9)}`, '@db.example.com/app'],
  ['token of a URL', 'https://', mixed(30), '@git.example.com/owner/name.git'],
  ['Slack webhook', 'https://hooks.slack.com/services/', `T${big(8)}/B${big(8)}/${mixed(24)}`],
  ['Discord webhook', `https://discord.com/api/webhooks/${pick('123456789', 18)}/`, mixed(68)],
  [
    'Teams webhook',
    'https://example.webhook.office.com/webhookb2/',
    `${uuid()}@${uuid()}/IncomingWebhook/${hex(32)}/${uuid()}`,
  ],
  ['query token', 'https://example.com/a?page=2&access_token=', mixed(30), '&x=1'],
  ['signature of a query', 'https://example.com/a?sv=2022&sig=', mixed(43), '&x=1'],
  // Headers
  ['bearer', 'Authorization: Bearer ', mixed(40)],
  ['basic', 'Authorization: Basic ', Buffer.from(`bob:${password()}`).toString('base64')],
  ['header', 'X-Api-Key: ', mixed(32)],
  ['cookie', 'Cookie: session=', mixed(40)],
  ['GitLab header', 'PRIVATE-TOKEN: ', mixed(20)],
  // Commands
  ['option', 'deploy --password ', password(), ' --verbose'],
  ['option with equals', 'deploy --api-key=', mixed(24), ' --verbose'],
  ['mysql', 'mysql -u root -p', password(), ' shop'],
  ['sshpass', 'sshpass -p ', password(), ' ssh root@host.example'],
  ['sshpass, quoted', "sshpass -p '", password(), "' ssh root@host.example"],
  ['docker login', 'docker login -u bob -p ', password(), ' registry.example.com'],
  ['curl', 'curl -u bob:', password(), ' https://example.com'],
  ['redis-cli', 'redis-cli -h cache -a ', password(), ' ping'],
  ['sudo', 'echo ', password(), ' | sudo -S apt-get update'],
  ['docker login by pipe', 'echo "', password(), '" | docker login -u bob --password-stdin'],
  ['openssl', 'openssl enc -aes-256-cbc -pass pass:', password(), ' -in a'],
  ['aws configure', 'aws configure set aws_secret_access_key ', mixed(40)],
  ['PowerShell', 'ConvertTo-SecureString "', password(), '" -AsPlainText -Force'],
  // Configuration files
  ['netrc', 'machine git.example.com login bob password ', password()],
  ['pgpass', 'db.example.com:5432:app:bob:', password()],
  [
    'docker auth',
    '{"auths": {"registry.example.com": {"auth": "',
    Buffer.from(`bob:${password()}`).toString('base64'),
    '"}}}',
  ],
  ['npmrc', '//registry.example.com/:_authToken=', mixed(36)],
  ['XML element', '<password>', 'swordfishes', '</password>'],
  ['XML attribute', '<add key="DB_PASSWORD" value="', password(), '" />'],
  ['PHP define', "define('DB_PASSWORD', '", password(), "');"],
  ['YAML', 'database:\n  password: ', 'swordfishes', '\n  host: db'],
  ['YAML block', 'db_password: |\n    ', password(), '\nhost: db'],
  ['Kubernetes variable', '- name: DB_PASSWORD\n  value: ', password()],
  ['shadow', 'root:$6$', `${mixed(16)}$${mixed(86)}`, ':19700:0:99999:7:::'],
  ['htpasswd', 'bob:$2y$10$', mixed(53)],
  ['apr1', 'bob:$apr1$', `${mixed(8)}$${mixed(22)}`],
  ['argon2', 'hash $argon2id$v=19$m=65536,t=3,p=4$', `${mixed(22)}$${mixed(43)}`],
  ['JSON Web Key', '{"kty":"EC","crv":"P-256","d":"', mixed(43), '"}'],
  [
    'Azure connection string',
    'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=',
    base64(60),
    ';EndpointSuffix=core.example',
  ],
  ['SQL', "CREATE USER bob IDENTIFIED BY '", password(), "';"],
  ['SQL role', "ALTER ROLE bob WITH PASSWORD '", password(), "';"],
  ['HTML input', '<input type="password" value="', password(), '">'],
  // Names
  ...[
    'aws_secret_access_key',
    'secret_token',
    'token_secret',
    'access_token_secret',
    'oauth_token_secret',
    'api_key_secret',
    'secret_key_base',
    'private_key_password',
    'key_password',
    'ssh_key',
    'deploy_key',
    'master_key',
    'storage_key',
    'license_key',
    'db_pass',
    'smtp_pass',
    'database_password',
    'client_secret',
    'encryption_key',
    'signing_key',
    'webhook_secret',
    'refresh_token',
    'session_secret',
    'app_key',
  ].map((name): Row => [name, `${name} = `, mixed(24)]),
  ['camel case', 'const clientSecret = "', mixed(24), '";'],
  ['JSON property', '{"user": "bob", "dbPassword": "', password(), '"}'],
  ['typed constant', 'const apiToken: string = "', mixed(30), '";'],
  ['mnemonic', 'MNEMONIC="', 'abandon ability able about above absent absorb abstract', '"'],
];

/** Programs whose options a shell accepts in one case only. */
const PROGRAM =
  /^(?:deploy|mysql|sshpass|docker|curl|redis-cli|echo|openssl|aws|kubectl|helm|fly|ngrok|chpasswd|mount|nmcli|ssh-keygen|unzip|gpg|http|sqlldr|sqlplus|net|plink|scp|snyk|wandb|setenv|expect|machine) /;

/** Rows of a list as kinds. */
export const kindsOf = (rows: readonly Row[]): readonly SecretKind[] =>
  rows.map(([kind, before, secret, after = '']) => ({ kind, before, secret, after, says: sayerOf(before) }));

export const KINDS = kindsOf(ROWS);

/** Finds what reveals a secret of this kind. */
function sayerOf(before: string): SecretKind['says'] {
  if (before === 'found ') return 'itself';
  if (before.startsWith('-----BEGIN')) return 'lines';
  return PROGRAM.test(before) ? 'command' : 'words';
}
