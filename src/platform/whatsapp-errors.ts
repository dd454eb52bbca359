/*
 * What the codes of the WhatsApp Cloud API mean, to the person who wrote the message. The codes are the same in its answers and in
 * what it tells later (developers.facebook.com, "Error codes").
 */

const meanings: Record<number, string> = {
  130472: 'WhatsApp did not deliver it: this person is part of an experiment of Meta.',
  131021: 'A WhatsApp number cannot write to itself.',
  131026:
    'WhatsApp cannot deliver to this number: it has no WhatsApp, an old version, or has not accepted its terms.',
  131030: 'The number is not among those that a WhatsApp test number may write to.',
  131042: 'WhatsApp did not deliver it: the business account has no valid payment method.',
  131047: 'More than 24 hours have passed since their last WhatsApp message. Use a template.',
  131048: 'WhatsApp limits what this number may send, since too many people have blocked or reported it.',
  131049: 'WhatsApp did not deliver it: this person gets many messages of companies at the moment.',
  131050: 'This person has stopped marketing messages from you in WhatsApp.',
  131051: 'WhatsApp does not support this kind of message.',
  131052: 'The file they sent could not be downloaded from WhatsApp.',
  131053: 'WhatsApp did not take the file: check its type and size.',
  132000: 'The template needs another number of values.',
  132001: 'WhatsApp has no such template in this language, or has not approved it. Sync the templates.',
  132005: 'The text of the template is too long with these values.',
  132007: 'WhatsApp has rejected the content of the template.',
  132012: 'A value does not fit the format that the template has.',
  132015: 'WhatsApp has paused the template because of its low quality.',
  132016: 'WhatsApp has disabled the template because of its low quality.',
  133010: 'The WhatsApp number is not registered. Ask your operator.',
  368: 'WhatsApp has blocked this business account for breaking its rules.',
}

/** Too many at a time, or a fault of theirs: the same message may pass later. */
const PASSING = [1, 2, 4, 17, 613, 80007, 130429, 131000, 131016, 131056, 131057, 133004]
/** The token or its rights: a no to the installation, not to this message. */
const NO_TO_US = [0, 3, 10, 190, 131005]

export function meaningOf(code: number | undefined, words: string | undefined): string {
  const known = code === undefined ? undefined : meanings[code]
  if (known) return known
  const told = words?.trim() || 'no reason given'
  return code === undefined ? `WhatsApp: ${told}` : `WhatsApp (error ${code}): ${told}`
}

export function isPassing(code: number | undefined): boolean {
  return code !== undefined && (PASSING.includes(code) || isNoToUs(code))
}

export function isNoToUs(code: number | undefined): boolean {
  return code !== undefined && (NO_TO_US.includes(code) || (code >= 200 && code <= 299))
}
