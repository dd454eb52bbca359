/** A User-Agent header → "Firefox on Windows". */
export function browserName(userAgent: string | null): string {
  if (!userAgent?.trim()) return 'Unknown browser'
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  if (browser && system) return `${browser} on ${system}`
  if (browser ?? system) return browser ?? `Unknown browser on ${system}`
  // Usually a program: "curl/8.5.0" is curl.
  return /^[\w .-]{2,40}(?=\/)/.exec(userAgent)?.[0].trim() ?? 'Unknown browser'
}

export function isHandheld(userAgent: string | null): boolean {
  return /\b(?:iPhone|iPad|iPod|Android|Mobile)\b/.test(userAgent ?? '')
}

type Names = [pattern: RegExp, name: string][]

// The order matters: nearly every browser also claims to be the ones below it.
const browsers: Names = [
  [/\b(?:Edg|EdgA|EdgiOS|Edge)\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)[/ ]/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]

const systems: Names = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

function nameIn(names: Names, userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1]
}
