/** What companies do, and the words by which they say so. */
const industries: [industry: string, words: RegExp][] = [
  ['Software', /software|saas|web ?app|entwicklung von apps|logiciel|cloud[- ]platform|developer tools/],
  [
    'IT Services',
    /it[- ](?:services?|dienstleist|support|consult|beratung|systemhaus)|managed services|systemhaus|cyber ?security/,
  ],
  [
    'Marketing',
    /marketing|werbeagentur|advertising|digital agency|digitalagentur|seo[- ]agentur|branding|public relations/,
  ],
  ['Consulting', /consulting|consultancy|unternehmensberatung|management beratung|conseil en/],
  ['Law', /law firm|lawyers?|attorneys?|solicitors?|rechtsanw[aä]lt|kanzlei|avocats?|notar(?:iat)?/],
  ['Accounting', /accounting|accountants?|bookkeeping|steuerberat|tax advis|wirtschaftspr[uü]f|comptab/],
  [
    'Finance',
    /bank(?:ing)?|fintech|investment|asset management|finanzdienst|wealth|payments? platform|kredit/,
  ],
  ['Insurance', /insurance|insurtech|versicherung|assurances?|seguros/],
  ['Real Estate', /real estate|immobili|property management|makler|hausverwaltung|bienes ra[ií]ces/],
  [
    'Construction',
    /construction|bauunternehmen|hochbau|tiefbau|general contractor|roofing|dachdecker|zimmerei|renovation|b[aâ]timent/,
  ],
  ['Architecture', /architects?|architektur(?:b[uü]ro)?|architecture firm|interior design/],
  [
    'Trades',
    /plumb(?:er|ing)|electrician|heating|sanit[aä]r|elektriker|elektrotechnik|klempner|maler(?:betrieb|meister)|schreinerei|tischlerei|handwerk/,
  ],
  [
    'Manufacturing',
    /manufactur|fabrication|maschinenbau|hersteller|produktion von|metallbau|machinery|industrial equipment/,
  ],
  ['Automotive', /automotive|car dealer|autohaus|kfz|vehicles?|garage automobile|autoteile/],
  ['Energy', /solar|photovolta|renewable|energy|energie(?:versorg|berat)|wind ?power|stadtwerke/],
  [
    'Logistics',
    /logistics?|logistik|freight|spedition|transport(?:e|unternehmen)?|warehous|shipping company|umz[uü]ge/,
  ],
  ['E-Commerce', /online[- ]?shop|e-?commerce|webshop|boutique en ligne|tienda online/],
  ['Retail', /retail(?:er)?|einzelhandel|fachgesch[aä]ft|supermarket|fashion store/],
  [
    'Health',
    /dental|dentist|zahnarzt|clinic|klinik|hospital|arztpraxis|medical|physiotherap|pharma|healthcare|apotheke|health services/,
  ],
  ['Biotechnology', /biotech|life sciences?|genomics|diagnostics/],
  [
    'Education',
    /university|school|schule|hochschule|training courses|e-?learning|weiterbildung|academy|akademie|nachhilfe|[eé]cole/,
  ],
  ['Recruiting', /recruit(?:ing|ment)|staffing|personalvermittlung|zeitarbeit|headhunt|talent acquisition/],
  ['Hospitality', /hotel|resort|hostel|pension|ferienwohnung|guest ?house|accommodation/],
  [
    'Food',
    /restaurant|caf[eé]|bakery|b[aä]ckerei|catering|brewery|brauerei|winery|weingut|food (?:producer|manufacturer)|lebensmittel/,
  ],
  ['Travel', /travel agency|reiseb[uü]ro|tour operator|tourism|tourismus|reisen/],
  ['Media', /publisher|publishing|verlag|film production|filmproduktion|newspaper|zeitung|broadcast|podcast/],
  ['Design', /design (?:studio|agency)|grafik|graphic design|ux design|photograph|fotograf/],
  ['Telecommunications', /telecom|telekommunikation|internet provider|voip|glasfaser|fib(?:er|re) network/],
  ['Agriculture', /agricultur|landwirtschaft|farm(?:ing)?|agrar|horticultur|gartenbau/],
  ['Nonprofit', /non-?profit|charity|gemeinn[uü]tzig|foundation|stiftung|ngo\b|verein e\.? ?v\.?/],
  ['Sports', /fitness|gym|sports? club|sportverein|yoga|personal training/],
  ['Beauty', /beauty|cosmetics?|kosmetik|hair ?salon|friseur|barber|spa\b|wellness/],
  ['Security', /security services|sicherheitsdienst|alarm systems|surveillance|objektschutz/],
  [
    'Cleaning',
    /cleaning services?|geb[aä]udereinigung|reinigungs|facility (?:management|services)|janitorial/,
  ],
  ['Events', /event (?:agency|management|planning)|veranstaltung|messebau|wedding plann|eventagentur/],
]
const FOUND_MAX = 2
/** Matches the start of a word; in the middle of one it means something else. */
const signs = industries.map(
  ([industry, words]) => [industry, new RegExp(`(?<!\\p{L})(?:${words.source})`, 'u')] as const,
)

/** What a company does by how it presents itself in a line or two. */
export function industriesOf(words: string): string[] {
  const text = words.toLowerCase()
  return signs
    .map(([industry, words]) => ({ industry, at: text.search(words) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, FOUND_MAX)
    .map(({ industry }) => industry)
}
