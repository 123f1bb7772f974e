import { expect, it } from 'vitest';
import { requestErrorKind } from '../../../../../src/agents/shared/decode';

it.each([
  // refused for too many requests, or for a plan that is used up
  ['rate_limit', 'API Error: Rate limit reached for requests'],
  ['rate_limit', 'RateLimitError: litellm.RateLimitError: slow down'],
  ['rate_limit', 'rate_limit_exceeded'],
  ['rate_limit', 'You exceeded your current quota, please check your plan and billing details.'],
  ['rate_limit', 'insufficient_quota'],
  ['rate_limit', '[RESOURCE_EXHAUSTED] try later'],
  ['rate_limit', '{"type":"overloaded_error","message":"Overloaded"}'],
  ['rate_limit', '429 Too Many Requests'],
  ['rate_limit', "You've hit your usage limit. Upgrade to Pro or try again in 2 days."],
  ['rate_limit', "You've hit your limit · resets 3pm"],
  ['rate_limit', '5-hour limit reached ∙ resets 6pm'],
  ['rate_limit', 'usage_limit_exceeded '],
  // no answer in time
  ['timeout', 'connect ETIMEDOUT 10.0.0.1:443'],
  ['timeout', 'Request timed out.'],
  ['timeout', 'APITimeoutError: the request took too long'],
  ['timeout', '[DEADLINE_EXCEEDED] deadline exceeded'],
  // any other failure
  ['api', '500 Internal server error'],
  ['api', 'Connection error at port 4290'],
  ['api', 'Maximum output token limit reached'],
  ['api', 'The number of mistakes has its limit reached'],
  ['api', `${'a long page '.repeat(200)}429`],
])('the kind of a failed request is %s: %s', (kind, text) => {
  expect(requestErrorKind(text)).toBe(kind);
});

it('the status says so without words', () => {
  expect(requestErrorKind('try later', 429)).toBe('rate_limit');
  expect(requestErrorKind('try later', 529)).toBe('rate_limit');
  expect(requestErrorKind('try later', 500)).toBe('api');
});
