/**
 * Time zones by calling code, as far as a number alone can tell. If a country has several, all that matter
 * are listed: to disturb no one, keep to what is right in each of them. Zones that share their clock all year
 * are listed once.
 */
const byCallingCode: Readonly<Record<string, string>> = {
  // Numbers are kept by people who move: no area code is taken for a place.
  1: 'America/St_Johns America/Halifax America/Puerto_Rico America/New_York America/Chicago America/Regina America/Denver America/Phoenix America/Los_Angeles America/Anchorage Pacific/Honolulu',
  7: 'Europe/Kaliningrad Europe/Moscow Europe/Samara Asia/Yekaterinburg Asia/Omsk Asia/Krasnoyarsk Asia/Irkutsk Asia/Yakutsk Asia/Vladivostok Asia/Magadan Asia/Kamchatka',
  20: 'Africa/Cairo',
  27: 'Africa/Johannesburg',
  30: 'Europe/Athens',
  31: 'Europe/Amsterdam',
  32: 'Europe/Brussels',
  33: 'Europe/Paris',
  34: 'Europe/Madrid Atlantic/Canary',
  36: 'Europe/Budapest',
  39: 'Europe/Rome',
  40: 'Europe/Bucharest',
  41: 'Europe/Zurich',
  43: 'Europe/Vienna',
  44: 'Europe/London',
  45: 'Europe/Copenhagen',
  46: 'Europe/Stockholm',
  47: 'Europe/Oslo',
  48: 'Europe/Warsaw',
  49: 'Europe/Berlin',
  51: 'America/Lima',
  52: 'America/Cancun America/Mexico_City America/Hermosillo America/Tijuana',
  54: 'America/Argentina/Buenos_Aires',
  55: 'America/Noronha America/Sao_Paulo America/Manaus America/Rio_Branco',
  56: 'America/Punta_Arenas America/Santiago Pacific/Easter',
  57: 'America/Bogota',
  58: 'America/Caracas',
  60: 'Asia/Kuala_Lumpur',
  61: 'Australia/Sydney Australia/Brisbane Australia/Adelaide Australia/Darwin Australia/Perth',
  62: 'Asia/Jayapura Asia/Makassar Asia/Jakarta',
  63: 'Asia/Manila',
  64: 'Pacific/Auckland Pacific/Chatham',
  65: 'Asia/Singapore',
  66: 'Asia/Bangkok',
  81: 'Asia/Tokyo',
  82: 'Asia/Seoul',
  84: 'Asia/Ho_Chi_Minh',
  86: 'Asia/Shanghai',
  90: 'Europe/Istanbul',
  91: 'Asia/Kolkata',
  92: 'Asia/Karachi',
  94: 'Asia/Colombo',
  212: 'Africa/Casablanca',
  213: 'Africa/Algiers',
  216: 'Africa/Tunis',
  221: 'Africa/Dakar',
  225: 'Africa/Abidjan',
  233: 'Africa/Accra',
  234: 'Africa/Lagos',
  237: 'Africa/Douala',
  243: 'Africa/Kinshasa Africa/Lubumbashi',
  244: 'Africa/Luanda',
  250: 'Africa/Kigali',
  251: 'Africa/Addis_Ababa',
  254: 'Africa/Nairobi',
  255: 'Africa/Dar_es_Salaam',
  256: 'Africa/Kampala',
  260: 'Africa/Lusaka',
  263: 'Africa/Harare',
  264: 'Africa/Windhoek',
  267: 'Africa/Gaborone',
  298: 'Atlantic/Faroe',
  351: 'Europe/Lisbon Atlantic/Azores',
  352: 'Europe/Luxembourg',
  353: 'Europe/Dublin',
  354: 'Atlantic/Reykjavik',
  355: 'Europe/Tirane',
  356: 'Europe/Malta',
  357: 'Asia/Nicosia',
  358: 'Europe/Helsinki',
  359: 'Europe/Sofia',
  370: 'Europe/Vilnius',
  371: 'Europe/Riga',
  372: 'Europe/Tallinn',
  373: 'Europe/Chisinau',
  374: 'Asia/Yerevan',
  375: 'Europe/Minsk',
  376: 'Europe/Andorra',
  377: 'Europe/Monaco',
  380: 'Europe/Kyiv',
  381: 'Europe/Belgrade',
  382: 'Europe/Podgorica',
  383: 'Europe/Belgrade',
  385: 'Europe/Zagreb',
  386: 'Europe/Ljubljana',
  387: 'Europe/Sarajevo',
  389: 'Europe/Skopje',
  420: 'Europe/Prague',
  421: 'Europe/Bratislava',
  423: 'Europe/Vaduz',
  501: 'America/Belize',
  502: 'America/Guatemala',
  503: 'America/El_Salvador',
  504: 'America/Tegucigalpa',
  505: 'America/Managua',
  506: 'America/Costa_Rica',
  507: 'America/Panama',
  591: 'America/La_Paz',
  593: 'America/Guayaquil Pacific/Galapagos',
  595: 'America/Asuncion',
  598: 'America/Montevideo',
  852: 'Asia/Hong_Kong',
  853: 'Asia/Macau',
  855: 'Asia/Phnom_Penh',
  856: 'Asia/Vientiane',
  880: 'Asia/Dhaka',
  886: 'Asia/Taipei',
  960: 'Indian/Maldives',
  961: 'Asia/Beirut',
  962: 'Asia/Amman',
  964: 'Asia/Baghdad',
  965: 'Asia/Kuwait',
  966: 'Asia/Riyadh',
  968: 'Asia/Muscat',
  971: 'Asia/Dubai',
  972: 'Asia/Jerusalem',
  973: 'Asia/Bahrain',
  974: 'Asia/Qatar',
  976: 'Asia/Ulaanbaatar Asia/Hovd',
  977: 'Asia/Kathmandu',
  992: 'Asia/Dushanbe',
  993: 'Asia/Ashgabat',
  994: 'Asia/Baku',
  995: 'Asia/Tbilisi',
  996: 'Asia/Bishkek',
  998: 'Asia/Tashkent',
}
const CODE_LENGTH_MAX = 3

/** Where somebody with this number may be; nothing where it cannot be told. */
export function zonesOfPhone(phone: string | null | undefined): readonly string[] {
  const digits = phone?.startsWith('+') ? phone.slice(1) : ''
  for (let length = Math.min(CODE_LENGTH_MAX, digits.length); length > 0; length--) {
    const zones = byCallingCode[digits.slice(0, length)]
    if (zones) return zones.split(' ')
  }
  return []
}

/** Where somebody is, as far as it is known, and by what. */
export type Whereabouts = { zones: readonly string[]; source: 'lead' | 'phone' | 'none' }

const FALLBACK_ZONE = 'UTC'

export function whereaboutsOf(
  timezone: string | null | undefined,
  phone: string | null | undefined,
): Whereabouts {
  if (timezone && isZone(timezone)) return { zones: [timezone], source: 'lead' }
  const zones = zonesOfPhone(phone).filter(isZone)
  return zones.length > 0 ? { zones, source: 'phone' } : { zones: [FALLBACK_ZONE], source: 'none' }
}

const known = new Map<string, boolean>()

/** A zone that this machine does not know is as good as none. */
function isZone(zone: string): boolean {
  let is = known.get(zone)
  if (is === undefined) {
    try {
      is = Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
    } catch {
      is = false
    }
    known.set(zone, is)
  }
  return is
}

/** `Europe/Berlin, from the phone number` */
export function whereInWords({ zones, source }: Whereabouts): string {
  if (source === 'lead') return zones[0]!
  if (source === 'none') return `${zones[0]}, time zone unknown`
  return zones.length === 1
    ? `${zones[0]}, from the phone number`
    : 'several time zones, from the phone number'
}
