import { type SecretRule, beginsWord, hasDigit, hasDigitOrUpper, patternRule, tokenRule } from './rule';

/**
 * Prefixes with which services mark their tokens. The rest of a token only needs a length and digits or capitals, not an exact form, so that tokens
 * are found even if they were cut off or have a new form. Tokens of many letters and digits need no prefix (`findInRuns`).
 */
const PREFIXES = (
  'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glrtr- ' +
  'glcbt- glptt- glft- glimt- glagent- glsoat- glffct- gloas- glwt- GR1348941 ABSK bedrock-api-key- AIza ya29. GOCSPX- 1//0 AQ.A GOOG1E ' +
  'hf_ api_org_ gsk_ r8_ lin_api_ lin_oauth_ dckr_pat_ dckr_oat_ dop_v1_ doo_v1_ dor_v1_ figd_ sntrys_ sntryu_ shpat_ shpss_ shpca_ shppa_ ' +
  'shippo_ pul_ pul- rubygems_ ntn_ lsv2_ sbp_ sb_secret_ nvapi- aio_ phc_ phx_ glsa_ glc_ rnd_ napi_ tfp_ sgp_ vercel_ dnkey- tskey- ' +
  'pypi- xai- pplx- tvly- fw- hvs. hvb. CFPAT- PMAK- xkeysib- NRAK- NRII- NRJS- SG. AGE-SECRET-KEY-1 ATBB ATCTT3 ATATT3 fm1a fm1r fm2_ ' +
  'fo1_ npm_ dapi A3- ops_ p8e- LTAI AKID CLOJARS_ v1.0- duffel_ dt0c01. EZAK EZTK EAA FLWSECK_TEST- fio-u- HRKU-AA ico- s-s4t2ud- ' +
  's-s4t2af- pscale_ pnu_ rdme_ tk-us- sm_aat_ sm_pat_ sm_sat_ sha256~ sq0atp- sq0csp- sq0idp- csk- tgp_ fc- vcp_ nfp_ cfut_ pcsk_ ' +
  'bkua_ CCIPAT_ secret_ mlsn.'
).split(' ');
const SHORTEST_BODY = 16;
const UUID = '[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}';
/** `loop_1`, `TIMEOUT_MS`, `readFile`: words. Letters in mixed, unordered cases are not. */
const WORD = '(?:[A-Z]{1,24}|[A-Z]?[a-z]{1,24}(?:[A-Z][a-z]{1,24}){0,4})';
const NAME = new RegExp(String.raw`^${WORD}(?:[_-]${WORD}){0,16}(?:[_-]\d{1,4})?$`);
/** `app`, `node_modules`, `v2`, `index.ts`: parts of a path between its slashes. */
const SEGMENT = new RegExp(String.raw`^(?:${WORD}\d{0,4}(?:[._-](?:${WORD}|\d{1,4})){0,16})?$`);
/** A full stop at the end belongs to the sentence. */
const BODY = /(?:[A-Za-z0-9_-]|[.~+/%=](?=[A-Za-z0-9_.~+/%=-])){1,8192}={0,3}/y;

const PREFIXED: readonly SecretRule[] = PREFIXES.map((prefix) => ({
  id: prefix,
  words: [prefix.toLowerCase()],
  look(text, at) {
    if (!text.startsWith(prefix, at) || !beginsWord(text, at)) return undefined;
    BODY.lastIndex = at + prefix.length;
    const body = withoutPath(BODY.exec(text)?.[0] ?? '');
    const isToken = body.length >= SHORTEST_BODY && (hasDigit(body) || /[a-z][A-Z]/.test(body)) && !NAME.test(body);
    return isToken ? { secret: [at, at + prefix.length + body.length] } : undefined;
  },
}));

/** Removes the path that follows a token used as the name of a folder. Slashes of base64 are kept: no words follow them. */
function withoutPath(body: string): string {
  const segments = body.split('/');
  const end = segments.findLastIndex((segment) => !SEGMENT.test(segment));
  return segments.slice(0, Math.max(end, 0) + 1).join('/');
}

/** Tokens that need a closer check: their distinctive part is short, or is within the token. */
const FORMED: readonly SecretRule[] = [
  // OpenAI, Anthropic, OpenRouter, Langfuse and others. `sk-ssh-ed25519` and `sk-ecdsa-…` are kinds of SSH keys.
  tokenRule('sk', ['sk-'], /sk-(?!ssh-|ecdsa-)[A-Za-z0-9_-]{16,512}/, { accept: hasDigitOrUpper }),
  tokenRule(
    'stripe',
    ['sk_', 'rk_', 'pk_live', 'whsec_'],
    /(?:(?:[sr]k_(?:live|test|prod)|pk_live)_|whsec_)[A-Za-z0-9+/=]{10,512}/,
  ),
  tokenRule(
    'aws',
    ['akia', 'asia', 'aroa', 'aida', 'abia', 'acca', 'a3t'],
    /A(?:KIA|SIA|ROA|IDA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])/,
  ),
  tokenRule('slack', ['xox', 'xapp-'], /(?:xox[a-z](?:\.xox[a-z])?|xapp)-[A-Za-z0-9%-]{8,512}/),
  tokenRule('firebase', [':apa91b'], /[A-Za-z0-9_-]{11}:APA91b[A-Za-z0-9_-]{30,512}/, { before: 11 }),
  tokenRule('new relic licence', ['nral'], /[a-f0-9]{36}NRAL/, { before: 36 }),
  tokenRule('twilio', ['sk'], /SK[0-9a-fA-F]{32}(?![A-Za-z0-9])/),
  tokenRule('mailgun', ['key-'], /key-[a-f0-9]{32}(?![A-Za-z0-9])/),
  ...[8, 9, 10].map((before) =>
    tokenRule(`telegram ${before}`, [':aa'], new RegExp(String.raw`\d{${before}}:AA[A-Za-z0-9_-]{32,64}`), { before }),
  ),
  tokenRule('mailchimp', ['-us'], /[a-f0-9]{32}-us\d{1,2}/, { before: 32 }),
  tokenRule('asana', ['1/1', '2/1'], /[12]\/1\d{11,18}(?:\/\d{12,19})?:[a-f0-9]{32}/),
  tokenRule('airtable', ['pat'], /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/),
  tokenRule('hubspot', ['pat-'], /pat-[a-z]{2}\d-[a-f0-9]{8}-[a-f0-9-]{20,40}/),
  tokenRule('nuget', ['oy2'], /oy2[a-z0-9]{43}(?![A-Za-z0-9])/),
  tokenRule('doppler', ['dp.'], /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}/),
  tokenRule('dropbox', ['sl.'], /sl\.[A-Za-z0-9_-]{100,512}/),
  tokenRule('twitter', ['aaaaaaaaaaaaaaaaaaaaaa'], /A{22}[A-Za-z0-9%]{60,120}/),
  tokenRule('azure client secret', ['q~'], /[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/, { before: 4 }),
  tokenRule('azure devops', ['jqqj99'], /[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{10,64}/, { before: 52 }),
  tokenRule('terraform', ['.atlasv1.'], /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,80}/, { before: 14 }),
  tokenRule('maxmind', ['_mmk'], /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/, { before: 36 }),
  tokenRule('three parts', ['pat.', 'sat.'], /[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/),
  tokenRule(
    'authress',
    ['sc_', 'ext_', 'scauth_', 'authress_'],
    /(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}/,
  ),
  // A prefix and a UUID; if more follows, the UUID is only the name of the token.
  tokenRule('launchdarkly, axiom', ['sdk-', 'mob-', 'xaat-', 'xapt-'], new RegExp(`(?:sdk|mob|xa[ap]t)-${UUID}`)),
  tokenRule('infisical', ['st.'], new RegExp(String.raw`st\.${UUID}\.[a-f0-9]{32}\.[a-f0-9]{32}`)),
  tokenRule('bitwarden', ['0.'], new RegExp(String.raw`0\.${UUID}\.[A-Za-z0-9]{20,60}:[A-Za-z0-9+/]{16,64}={0,2}`)),
  tokenRule('paypal', ['access_token$'], /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}/),
  // JSON Web Token and JSON Web Encryption: two to five parts of base64url, the first a JSON object.
  tokenRule('jwt', ['eyj'], /(eyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]{8,4096}(?:\.[A-Za-z0-9_-]{0,4096}){0,3})/, {
    isWholeRun: true,
  }),
  tokenRule('jwt in base64', ['zxlk'], /ZXlK[A-Za-z0-9+/]{40,2048}={0,2}/),
  tokenRule('artifactory', ['cmvmd', 'akcp', 'eyjrijoi'], /(?:cmVmd|AKCp|eyJrIjoi)[A-Za-z0-9+/]{50,400}={0,2}/),
  tokenRule('private key in base64', ['ls0tls1crudjti'], /LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,8192}={0,2}/, {
    accept: (token) => Buffer.from(token.slice(0, 88), 'base64').toString('latin1').includes('PRIVATE KEY'),
  }),
  // Cut off at the end of a snippet: a few characters of a key are still part of a key.
  tokenRule(
    'cut off',
    [
      'sk-ant-',
      'sk-proj-',
      'sk-or-',
      'ghp_',
      'gho_',
      'ghu_',
      'ghs_',
      'ghr_',
      'github_pat_',
      'glpat-',
      'npm_',
      'xoxb-',
      'xoxp-',
      'xoxa-',
      'xoxs-',
      'aiza',
      'akia',
      'asia',
      'dapi',
      'ntn_',
    ],
    /((?:sk-(?:ant|proj|or)-|gh[pousr]_|github_pat_|glpat-|npm_(?!and_)|xox[bpas]-|AIza|AKIA|ASIA|dapi|ntn_)[A-Za-z0-9_-]{4,64})…?$/,
    { accept: hasDigitOrUpper },
  ),
  patternRule(
    'slack webhook',
    ['hooks.slack.com/'],
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9_/+-]{16,200})/i,
  ),
  patternRule('discord webhook', ['/api/webhooks/'], /\/api\/webhooks\/\d{5,30}\/(?<secret>[A-Za-z0-9_-]{20,200})/i),
  patternRule('teams webhook', ['webhook.office.com/'], /webhook\.office\.com\/(?<secret>[^\s"'<>\\]{20,400})/i),
  discordBot(),
];

/** Finds base64 of a number, then six and about thirty more characters. It contains no fixed word except its dots. */
function discordBot(): SecretRule {
  const tail = /\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])/y;
  return {
    id: 'discord bot',
    words: ['.'],
    look(text, at) {
      // Dots are everywhere; checking for the second one rules out nearly all of them.
      if (text.charAt(at + 7) !== '.' && text.charAt(at + 8) !== '.') return undefined;
      tail.lastIndex = at;
      const end = tail.exec(text);
      if (!end) return undefined;
      const head = /[MNO][A-Za-z0-9_-]{22,28}$/.exec(text.slice(Math.max(0, at - 29), at))?.[0];
      if (head === undefined || !/^\d+$/.test(Buffer.from(head, 'base64url').toString('latin1'))) return undefined;
      return { secret: [at - head.length, at + end[0].length] };
    },
  };
}

export const TOKEN_RULES: readonly SecretRule[] = [...PREFIXED, ...FORMED];
