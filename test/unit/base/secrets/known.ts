import { type Row, maker, token } from './make';

/** Kinds of secrets that once got through. */
const { pick, mixed, hex, small, base64, uuid, password } = maker(1_984);

const NKEY = ['S', 'U'].join('') + pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 56);
const key = (kind: string): string => `-----BEGIN ${kind}-----\n`;
const lines = (count: number): string => Array.from({ length: count }, () => base64(48)).join('\n');
const random = (length: number): string =>
  pick('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', length - 2) + 'k7';

export const KNOWN: readonly Row[] = [
  // Our own credentials
  ['NKey seed in its lines', key('USER NKEY SEED'), NKEY, '\n------END USER NKEY SEED------'],
  token('NKey seed', [], NKEY),
  [
    'NATS JWT',
    key('NATS USER JWT'),
    `${['ey', 'J0eX'].join('')}${mixed(60)}.${mixed(80)}.${mixed(86)}`,
    '\n------END NATS USER JWT------',
  ],
  // Kubernetes
  ['Secret, data', 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  where: ', base64(24)],
  ['Secret, stringData', 'kind: Secret\nmetadata:\n  name: db\nstringData:\n  value1: ', password(), '\ntype: Opaque'],
  [
    'Secret, as kubectl prints it',
    'apiVersion: v1\ndata:\n  config: ',
    base64(30),
    '\nkind: Secret\nmetadata:\n  name: db',
  ],
  ['Secret, as JSON', '{"apiVersion": "v1", "data": {"ca": "', base64(30), '"}, "kind": "Secret"}'],
  ['Secret, two keys', 'kind: Secret\ndata:\n  user: Ym9i\n  other: ', base64(24)],
  // Pairs on two lines
  ['pair in YAML', 'env:\n  - name: DB_PASSWORD\n    value: ', password()],
  ['pair in JSON', '{\n  "name": "DB_PASSWORD",\n  "value": "', password(), '"\n}'],
  ['pair in quotes', '- name: "API_KEY"\n  value: "', mixed(30), '"'],
  ['PuTTY', 'Encryption: none\nPrivate-Lines: 2\n', `${mixed(64)}\n${mixed(40)}`, '\nPrivate-MAC: 0'],
  // Columns
  ['aligned column', 'DB_HOST            db.example.com\nDB_PASSWORD        ', password()],
  ['column of tabs', 'DB_HOST\tdb.example.com\nDB_PASSWORD\t', password()],
  ['Markdown table', '| name | value |\n| --- | --- |\n| db password | ', password(), ' |'],
  ['table of a terminal', '│ DB_HOST     │ db │\n│ DB_PASSWORD │ ', password(), ' │'],
  // Other languages
  ['German', 'Passwort: ', password()],
  ['German, Kennwort', 'Kennwort: ', password()],
  ['French', 'mot de passe : ', password()],
  ['French name', 'mot_de_passe=', password()],
  ['Spanish', 'contraseña=', password()],
  ['Portuguese', 'senha: ', password()],
  ['Chinese', '密码：', password()],
  ['Japanese', 'パスワード: ', password()],
  ['Russian', 'Пароль: ', password()],
  ['Polish', 'hasło: ', password()],
  ['Turkish', 'şifre: ', password()],
  ['Korean', '비밀번호: ', password()],
  ['Italian', 'parola chiave: ', password()],
  ['Dutch', 'wachtwoord=', password()],
  ['full-width equals', 'password＝', password()],
  ['full-width colon', 'password：', password()],
  ['no-break space', 'password:\u00a0', password()],
  // Code
  ['bytes of Python', "password=b'", password(), "'"],
  ['Some of Rust', 'api_key: Some("', mixed(30), '")'],
  // Databases
  ['sqlplus', 'sqlplus scott/', password(), '@db.example.com'],
  ['JDBC of Oracle', 'jdbc:oracle:thin:scott/', password(), '@db.example.com:1521:orcl'],
  ['IDENTIFIED BY', 'ALTER USER scott IDENTIFIED BY ', password(), ';'],
  ['AUTH of Redis', 'AUTH ', password()],
  ['requirepass', 'requirepass ', password()],
  // Windows
  ['net use', 'net use Z: \\\\server\\share /user:bob ', password()],
  ['plink', 'plink -ssh bob@host -pw ', password(), ' ls'],
  ['scp of PuTTY, quoted', "scp -pw '", password(), "' a host:b"],
  // Commands and settings
  ['oauth in a git config', '[hub]\n\toauth = ', mixed(40)],
  ['snyk', 'snyk config set api=', uuid()],
  ['wandb', 'wandb login ', hex(40)],
  // Tokens
  token('Gemini', ['A', 'Q.Ab8'], mixed(45)),
  token('Cerebras', ['cs', 'k-'], small(48)),
  token('Together', ['tg', 'p_v1_'], mixed(43)),
  token('Firecrawl', ['f', 'c-'], hex(32)),
  token('Vercel', ['vc', 'p_'], mixed(56)),
  token('Netlify', ['nf', 'p_'], mixed(36)),
  token('Cloudflare', ['cf', 'ut_'], mixed(40)),
  token('Pinecone', ['pc', 'sk_'], `${mixed(6)}_${mixed(60)}`),
  token('Buildkite', ['bk', 'ua_'], hex(40)),
  token('CircleCI', ['CCI', 'PAT_'], `${mixed(22)}_${hex(40)}`),
  token('JFrog', ['cm', 'Vmd'], `GtuOjAxOjAwMDAwMDAwMDA6${mixed(36)}`),
  token('Google HMAC', ['GO', 'OG1E'], pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 56)),
  token('Azure OpenAI', [], random(84)),
  token(
    'JSON Web Encryption',
    ['ey', 'JhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.'],
    `${mixed(340)}.${mixed(16)}.${mixed(80)}.${mixed(22)}`,
  ),
  ['body of an OpenSSH key', 'it continues:\n', `b3BlbnNzaC1rZXktdjEA${mixed(44)}\n${lines(3)}`, '\nend'],
  ['body of a PKCS 8 key', 'it continues:\n', `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${mixed(32)}\n${lines(3)}`, '\nend'],
  // Markup between a name and its value
  ['name in a tag', '<span>password</span>: ', password()],
  ['bold name', '**password**: ', password()],
  ['bold with its colon', '**Password:** ', password()],
  ['name in back quotes', '`password`: ', password()],
  ['table of HTML', '<tr><td>DB_PASSWORD</td><td>', password(), '</td></tr>'],
  ['quoted-printable', 'password=3D', password()],
];
