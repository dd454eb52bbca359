import { expect, test } from 'vitest'
import { browserName, isHandheld } from './browser-name.ts'

const MOZILLA = 'Mozilla/5.0'
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    'Edge on Windows',
  ],
  [`${MOZILLA} (X11; Linux x86_64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0`, 'Opera on Linux'],
  [`${MOZILLA} (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/26.0 Safari/605.1.15`, 'Safari on macOS'],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0`, 'Firefox on macOS'],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${APPLE} Version/26.0 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${APPLE} CriOS/141.0 Mobile/15E148 Safari/604.1`,
    'Chrome on iPhone',
  ],
  [
    `${MOZILLA} (iPad; CPU OS 18_6 like Mac OS X) ${APPLE} FxiOS/144.0 Mobile/15E148 Safari/605.1.15`,
    'Firefox on iPad',
  ],
  [
    `${MOZILLA} (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`${MOZILLA} (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0`, 'Firefox on Android'],
  [`${MOZILLA} (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/141.0.0.0 Safari/537.36`, 'Chrome on Linux'],
])('%s is %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})

test('what is no browser is called by its own name, and what tells nothing is unknown', () => {
  expect(browserName('curl/8.5.0')).toBe('curl')
  expect(browserName('python-requests/2.32.3')).toBe('python-requests')
  expect(browserName(`${MOZILLA} (Windows NT 10.0)`)).toBe('Unknown browser on Windows')
  for (const nothing of [null, '', '  ', '<script>alert(1)</script>', '/'.repeat(300)])
    expect(browserName(nothing)).toBe('Unknown browser')
})

test('a browser that one holds in the hand is told from one that stands on a desk', () => {
  expect(
    isHandheld(`${MOZILLA} (Linux; Android 10; K) ${WEBKIT} Chrome/141.0.0.0 Mobile Safari/537.36`),
  ).toBe(true)
  expect(isHandheld(`${MOZILLA} (X11; Linux x86_64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`)).toBe(false)
  expect(isHandheld(null)).toBe(false)
})
