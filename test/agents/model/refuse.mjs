// What OpenAI's service says when it fails; a limit is worded like that of a plan.
export function refuseAsOpenai({ kind, opensAt }) {
  const body = (type, message, more = {}) => ({ error: { type, message, code: null, param: null, ...more } });
  switch (kind) {
    case 'overloaded':
      return { status: 503, body: body('server_error', 'The server is overloaded. Please try again later.') };
    case 'broken':
      return { status: 500, body: body('server_error', 'The server had an error while processing your request.') };
    case 'login':
      return {
        status: 401,
        body: body('invalid_request_error', 'Incorrect API key provided.', { code: 'invalid_api_key' }),
      };
    case 'limit': {
      const resets_at = Math.floor(opensAt / 1000);
      const resets_in_seconds = Math.max(1, Math.round((opensAt - Date.now()) / 1000));
      const more = { plan_type: 'plus', resets_at, resets_in_seconds };
      return { status: 429, body: body('usage_limit_reached', 'The usage limit has been reached', more) };
    }
  }
}
