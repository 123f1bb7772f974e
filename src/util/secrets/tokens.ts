import { NAMED, TOKENS, type NamedData } from './gitleaks.data';
import { isPlaceholder } from './placeholder';
import { type SecretRule, beginsWord, hasDigit, hasDigitOrUpper, patternRule, tokenRule } from './rule';

/**
 * Tokens that say by their beginning what they are. Beside the rules of gitleaks, which want a token whole, these find one that was cut off,
 * and services that gitleaks does not know.
 */
const OWN: readonly SecretRule[] = [
  // OpenAI, Anthropic, OpenRouter, Langfuse and others: sk-…, sk-ant-…, sk-proj-…
  // `sk-ssh-ed25519` and `sk-ecdsa-…` are kinds of keys of SSH.
  tokenRule('sk', ['sk-'], /sk-(?!ssh-|ecdsa-)[A-Za-z0-9_-]{16,512}/, { accept: hasDigitOrUpper }),
  tokenRule(
    'stripe',
    ['sk_', 'rk_', 'pk_live', 'whsec_'],
    /(?:(?:[sr]k_(?:live|test|prod)|pk_live)_|whsec_)[A-Za-z0-9+/=]{10,512}/,
  ),
  tokenRule('elevenlabs', ['sk_'], /sk_[a-f0-9]{48}/),
  tokenRule(
    'github',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    /(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{16,512}/,
  ),
  tokenRule(
    'gitlab',
    [
      'glpat-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'glsoat-',
      'glffct-',
      'gloas-',
      'glwt-',
    ],
    /gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|soat|ffct|oas|wt)-[A-Za-z0-9_-]{16,512}/,
    { accept: hasDigitOrUpper },
  ),
  tokenRule(
    'aws',
    ['akia', 'asia', 'aroa', 'aida', 'abia', 'acca'],
    /A(?:KIA|SIA|ROA|IDA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
  ),
  tokenRule('aws bedrock', ['absk', 'bedrock-api-key-'], /(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{40,2048}/),
  tokenRule(
    'google',
    ['aiza', 'ya29.', 'gocspx-', '1//0'],
    /AIza[A-Za-z0-9_-]{30,512}|ya29\.[A-Za-z0-9_-]{20,2048}|GOCSPX-[A-Za-z0-9_-]{20,512}|1\/\/0[A-Za-z0-9_-]{20,512}/,
  ),
  tokenRule('firebase', [':apa91b'], /[A-Za-z0-9_-]{11}:APA91b[A-Za-z0-9_-]{30,512}/, { before: 11 }),
  tokenRule('slack', ['xox', 'xapp-'], /(?:xox[a-z]|xapp)-[A-Za-z0-9%-]{10,512}/),
  tokenRule(
    'underscored',
    [
      'hf_',
      'gsk_',
      'r8_',
      'lin_api_',
      'lin_oauth_',
      'dckr_pat_',
      'dckr_oat_',
      'dop_v1_',
      'figd_',
      'sntrys_',
      'sntryu_',
      'shpat_',
      'shpss_',
      'shpca_',
      'shppa_',
      'pul_',
      'rubygems_',
      'ntn_',
      'lsv2_',
      'sbp_',
      'sb_secret_',
      'nvapi-',
      'aio_',
      'phc_',
      'phx_',
      'glsa_',
      'glc_',
      'rnd_',
      'napi_',
      'tfp_',
      'sgp_',
      'vercel_',
      'dnkey-',
      'tskey-',
    ],
    /(?:(?:hf|gsk|r8|lin_api|lin_oauth|dckr_[po]at|dop_v1|figd|sntry[su]|shp(?:at|ss|ca|pa)|pul|rubygems|ntn|lsv2|sbp|sb_secret|aio|ph[cx]|gls?[ac]|rnd|napi|tfp|sgp|vercel)_|nvapi-|dnkey-|tskey-)[A-Za-z0-9_-]{20,512}/,
    { accept: hasDigitOrUpper },
  ),
  tokenRule(
    'hyphened',
    ['pypi-', 'xai-', 'pplx-', 'tvly-', 'fw-', 'hvs.', 'hvb.', 'cfpat-', 'pmak-', 'xkeysib-'],
    /(?:(?:pypi|xai|pplx|tvly|fw|CFPAT|PMAK|xkeysib)-|hv[sb]\.)[A-Za-z0-9_-]{20,1024}/,
    { accept: hasDigitOrUpper },
  ),
  tokenRule('notion', ['secret_'], /secret_[A-Za-z0-9]{43}(?![A-Za-z0-9_])/),
  tokenRule('new relic', ['nrak-', 'nrii-', 'nrjs-', 'nral'], /NR(?:AK|II|JS)-[A-Za-z0-9_-]{19,64}|[a-f0-9]{36}NRAL/),
  tokenRule('new relic licence', ['nral'], /[a-f0-9]{36}NRAL/, { before: 36 }),
  tokenRule(
    'sendgrid',
    ['sg.', 'age-secret-key-1'],
    /SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}|AGE-SECRET-KEY-1[A-Z0-9]{20,128}/,
  ),
  tokenRule('twilio', ['sk'], /SK[0-9a-f]{32}(?![A-Za-z0-9])/),
  tokenRule('mailgun', ['key-'], /key-[a-f0-9]{32}(?![A-Za-z0-9])/),
  ...[8, 9, 10].map((before) =>
    tokenRule(`telegram ${before}`, [':aa'], new RegExp(String.raw`\d{${before}}:AA[A-Za-z0-9_-]{32,64}`), { before }),
  ),
  tokenRule('mailchimp', ['-us'], /[a-f0-9]{32}-us\d{1,2}/, { before: 32 }),
  tokenRule('asana', ['1/1', '2/1'], /[12]\/1\d{11,18}(?:\/\d{12,19})?:[a-f0-9]{32}/),
  tokenRule('airtable', ['pat'], /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/),
  tokenRule('hubspot', ['pat-'], /pat-[a-z]{2}\d-[a-f0-9]{8}-[a-f0-9-]{20,40}/),
  tokenRule('facebook', ['eaa'], /EAA[A-Za-z0-9]{60,512}/),
  tokenRule('square', ['sq0'], /sq0[a-z]{3}-[A-Za-z0-9_-]{22,64}/),
  tokenRule('nuget', ['oy2'], /oy2[a-z0-9]{43}(?![A-Za-z0-9])/),
  tokenRule('bitbucket', ['atbb', 'atctt3', 'atatt3'], /(?:ATBB|ATCTT3|ATATT3)[A-Za-z0-9_=-]{24,512}/),
  tokenRule('tencent', ['akid'], /AKID[A-Za-z0-9]{32,36}(?![A-Za-z0-9])/),
  tokenRule('doppler', ['dp.'], /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}/),
  tokenRule('dropbox', ['sl.'], /sl\.[A-Za-z0-9_-]{100,512}/),
  tokenRule('fly', ['fm2_', 'fo1_'], /f(?:m2|o1)_[A-Za-z0-9+/=_-]{40,2048}/),
  tokenRule('twitter', ['aaaaaaaaaaaaaaaaaaaaaa'], /A{22}[A-Za-z0-9%]{60,120}/),
  tokenRule('azure devops', ['jqqj99'], /[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{10,64}/, { before: 52 }),
  tokenRule('paypal', ['access_token$'], /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}/),
  // JSON Web Token: two or three base64url parts, the first a JSON object.
  tokenRule('jwt', ['eyj'], /(eyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]{8,4096}(?:\.[A-Za-z0-9_-]{0,2048}){0,3})/, {
    isWholeRun: true,
  }),
  tokenRule('jwt in base64', ['zxlk'], /ZXlK[A-Za-z0-9+/]{40,2048}={0,2}/),
  tokenRule('private key in base64', ['ls0tls1crudjti'], /LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,8192}={0,2}/, {
    accept: (token) => Buffer.from(token.slice(0, 88), 'base64').toString('latin1').includes('PRIVATE KEY'),
  }),
  tokenRule('npm auth', ['npm_'], /npm_[A-Za-z0-9]{20,128}/),
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

/** base64 of a number, six and some thirty characters. No word leads to it but its dots. */
function discordBot(): SecretRule {
  const tail = /\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])/y;
  return {
    id: 'discord bot',
    words: ['.'],
    look(text, at) {
      // A dot stands everywhere; that the second one follows settles nearly all of them.
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

/** Bits a character (Shannon). */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const GITLEAKS_TOKENS = TOKENS.map(({ id, words, before, pattern, anyCase, entropy }) =>
  tokenRule(`gitleaks ${id}`, words, new RegExp(pattern, anyCase ? 'i' : ''), {
    ...(before !== undefined && { before }),
    accept: (token) => entropyOf(token) >= entropy,
  }),
);

function namedRule({ id, words, name, value, anyCase, entropy }: NamedData): SecretRule {
  const head = new RegExp(
    String.raw`(?:${name})[ \t\w.-]{0,20}[\s'"\\]{0,6}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\\\s=]{0,6}`,
    'iy',
  );
  const secret = new RegExp(value, anyCase ? 'dyi' : 'dy');
  return {
    id: `gitleaks ${id}`,
    words,
    look(text, at) {
      head.lastIndex = at;
      if (!head.test(text)) return undefined;
      secret.lastIndex = head.lastIndex;
      const match = secret.exec(text);
      const range = match?.indices?.[match.length > 1 ? 1 : 0];
      if (!range || !beginsWord(text, range[0])) return undefined;
      const found = text.slice(range[0], range[1]);
      return hasDigit(found) && !isPlaceholder(found) && entropyOf(found) >= entropy ? { secret: range } : undefined;
    },
  };
}

export const TOKEN_RULES: readonly SecretRule[] = [...OWN, ...GITLEAKS_TOKENS, ...NAMED.map(namedRule)];
