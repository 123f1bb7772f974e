import { copied } from '../util/text';

/** Splits a name into its words, in lower case: `awsSecretKey`, `AWS_SECRET_KEY` and `aws-secret-key` become aws, secret, key. */
function wordsOfName(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Property that a value must have before its name makes it a secret. */
export type NameKind =
  /** Anything but a placeholder. */
  | 'password'
  /** Only something that no person would write as a word. */
  | 'token';

/** Passwords and keys in other languages. */
const FOREIGN =
  /(?:passwort|kennwort|geheimnis|schl(?:ü|ue)ssel|(?:^|[^a-z])passe|contrase(?:ñ|n|nh)a|clave|senha|parola|chiave|wachtwoord|has(?:ł|l)o|heslo|l(?:ö|o)senord|salasana|passord|adgangskode|jelsz(?:ó|o)|(?:ş|s)ifre|пароль|ключ|секрет|密码|密碼|口令|密钥|パスワード|비밀번호)$/;
/** Services whose keys have no distinctive form. */
export const SERVICES: readonly string[] = (
  'adafruit airtable algolia alibaba artifactory asana atlassian beamer bintray bitbucket bittrex cloudflare codecov cohere coinbase confluence ' +
  'confluent contentful contribsys datadog discord droneci dropbox etsy facebook fastly finicity finnhub flickr freshbooks gitter gocardless ' +
  'heroku hubspot intercom jfrog jira kraken kucoin launchdarkly linear linkedin mailchimp mailgun mapbox mattermost meraki messagebird netlify ' +
  'newyorktimes nytimes okta plaid privateai rapidapi sendbird sentry snyk sonar squarespace sumo travis twitch twitter wandb yandex zendesk'
).split(' ');
const SERVICE = new RegExp(SERVICES.join('|'), 'i');
/**
 * Returns whether a name is, begins with or ends with the name of a service. The letters and digits of its value must then show
 * that it is a key.
 */
export const isOfService = (name: string): boolean => SERVICE.test(name.replace(/[_-]/g, ''));

const PASSWORD = /^(?:password|passwd|passphrase|passcode|secret|secrets|mnemonic)$/;
const PASSWORD_END = /(?:password|passwd|passphrase|passcode)$/;
/** Words that end in `pass` and mean a password; `bypass` and `compass` do not. */
const PASS =
  /^(?:(?:db|database|user|usr|root|admin|smtp|ftp|mail|imap|ssh|my|pg|sql|mysql|login|proxy|http|redis|mongo|rabbitmq|sudo|key|store|app|wifi|vpn)?pass|pwd|pw|psk)$/;
const TOKEN = /^(?:token|oauth|credential|credentials|creds|apikey|authkey|authtoken|bearer|pat|jwt|otp|salt|pepper)$/;
const TOKEN_END =
  /(?:token|secret|apikey|accesskey|secretkey|privatekey|authkey|licensekey|sshkey|masterkey|encryptionkey|signingkey|accountkey|sharedkey|storagekey|clientkey|appkey)$/;
/** Words before `key` that make it a secret. The keys of a map or a table are none. */
const KEY_OF =
  /^(?:api|access|secret|private|auth|account|shared|signing|signature|encryption|encrypt|decryption|ssh|rsa|deploy|deployment|master|storage|license|licence|app|application|service|client|consumer|server|webhook|functions?|host|subscription|ingest|ingestion|integration|write|admin|root|session|jwt|hmac|aes|crypto|wallet|preshared|security|cookie|hash|cipher|registry|publishing|sendgrid|stripe|openai|anthropic|gemini|google|github|gitlab|aws|azure|mailgun|twilio|datadog|sentry|algolia|maps|user|project|team|personal|bot|hook|project|vault|unseal|recovery|backup|gpg|pgp|pgpassword|tls|ssl|cert|certificate|flask|django|rails|nextauth|laravel)$/;
/** Suffixes after the word that counts: `secret_key_base`, `password_prod`, `token_2`. */
const BEHIND =
  /^(?:base|base64|b64|value|val|string|str|plain|plaintext|text|raw|hash|digest|hex|pem|data|content|prod|production|dev|development|test|testing|stage|staging|live|local|ci|old|new|current|previous|primary|secondary|default|backup|confirm|confirmation|again|repeat|seed|\d{1,4}|v\d{1,3}|eu|us|rw|ro)$/;

/** A text uses few names, each of them often. */
const MOST_REMEMBERED = 500;
const remembered = new Map<string, NameKind | undefined>();

/** Returns the kind of a name; undefined where it does not name a secret. */
export function nameKind(name: string): NameKind | undefined {
  if (!remembered.has(name)) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(copied(name), kindOfName(name));
  }
  return remembered.get(name);
}

function kindOfName(name: string): NameKind | undefined {
  const lower = name.toLowerCase();
  if (FOREIGN.test(lower)) return 'password';
  const words = [...wordsOfName(name)];
  if (/(?:^|[^A-Za-z0-9])_auth$/.test(name)) return 'token';
  // Docker keeps `user:password` in base64 as `auth`.
  if (/^auth$/i.test(name)) return 'token';
  // A seed phrase consists of words.
  if (/seed[_-]?phrase$/i.test(name)) return 'password';
  for (let dropped = 0; words.length > 0 && dropped < 3; dropped++) {
    const last = words.at(-1) as string;
    const before = words.at(-2);
    if (PASSWORD.test(last) || PASSWORD_END.test(last)) return 'password';
    if (PASS.test(last)) return before === undefined && /^(?:pass|pw|psk|pwd)$/.test(last) ? 'token' : 'password';
    if (TOKEN.test(last) || TOKEN_END.test(last)) return 'token';
    if (last === 'key' && before !== undefined) {
      if (before === 'secret') return 'password';
      if (KEY_OF.test(before) || PASSWORD_END.test(before) || TOKEN_END.test(before)) return 'token';
    }
    if (!BEHIND.test(last)) break;
    words.pop();
  }
  return undefined;
}

/** True for `SOME_KEY`, `TOKEN_OF_X`: an environment variable holds a secret wherever in its name the word appears. */
export function isUpperName(name: string): boolean {
  // The working directory, in every environment.
  if (name !== name.toUpperCase() || /^(?:OLD)?PWD$/.test(name)) return false;
  return /(?:^|_)(?:API_?KEY|[A-Z]{0,12}PASSWORD|PASSWD|PASSPHRASE|[A-Z]{0,6}PASS|PWD|PW|PSK|TOKEN|SECRET|CREDENTIALS?|CREDS|PAT|KEY)(?:_[A-Z0-9_]{1,40})?$/.test(
    name,
  );
}
