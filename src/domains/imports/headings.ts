import type { importFields } from './values.ts'

type Field = (typeof importFields)[number]

/**
 * What people write above a column, in English, German, French and Spanish. Only letters and digits count, without
 * accents: `E-Mail`, `e_mail` and `EMAIL` are the same.
 */
const spellings: Record<Field, string> = {
  first_name: `first name, firstname, given name, givenname, forename, fname, first, vorname, prenom, nombre, nombre de pila`,
  last_name: `last name, lastname, surname, family name, familyname, lname, last, nachname, familienname, zuname, nom, nom de famille, apellido, apellidos`,
  name: `name, full name, fullname, contact name, contact, display name, lead name, person, person name, ansprechpartner, ansprechperson, kontakt, vollstandiger name, voller name, nom complet, contacto, nombre completo, nombre y apellidos`,
  email: `email, e-mail, mail, email address, e-mail address, mail address, email 1, e-mail 1 value, primary email, work email, business email, email adresse, e-mail-adresse, mailadresse, adresse email, adresse e-mail, courriel, adresse mail, correo, correo electronico, email de contacto`,
  phone: `phone, phone number, phone no, telephone, telephone number, tel, tel no, mobile, mobile phone, mobile number, cell, cell phone, cellphone, work phone, business phone, primary phone, phone 1, phone 1 value, telefon, telefonnummer, handy, handynummer, mobil, mobilnummer, mobiltelefon, rufnummer, numero de telephone, portable, telefono, telefono movil, movil, celular, numero de telefono`,
  company: `company, company name, organisation, organization, organisation name, organization name, business, business name, employer, account, account name, firm, firma, firmenname, unternehmen, unternehmensname, arbeitgeber, societe, entreprise, nom de la societe, empresa, nombre de la empresa, compania`,
  title: `title, job title, jobtitle, job, position, role, function, occupation, berufsbezeichnung, funktion, stelle, beruf, rolle, fonction, poste, titre, cargo, puesto, titulo`,
  website: `website, web site, web, url, homepage, home page, web address, webpage, company website, website url, domain, company domain, webseite, internetseite, internet, site, site web, site internet, sitio web, pagina web`,
  timezone: `timezone, time zone, tz, zeitzone, fuseau horaire, zona horaria`,
  owner: `owner, lead owner, contact owner, owner email, assigned to, assignee, sales rep, account manager, besitzer, zustandig, betreuer, verantwortlich, bearbeiter, proprietaire, responsable, propietario`,
  status: `status, lead status, statut, estado`,
  pipeline_stage: `pipeline stage, stage, deal stage, pipeline, phase, etape, etapa`,
  source: `source, lead source, origin, original source, channel, quelle, herkunft, origine, provenance, fuente, origen`,
}

const fields = new Map(
  Object.entries(spellings).flatMap(([field, words]) =>
    [field, ...words.split(',')].map(word => [plain(word), field] as const),
  ),
)

/** The field that a heading speaks of, if it is one of those everybody has. */
export function fieldOfHeading(heading: string): string | undefined {
  return fields.get(plain(heading))
}

export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
