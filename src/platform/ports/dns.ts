/** What a name says in the DNS. */
export type Dns = {
  /** The TXT records of a name, each as one string; none if it has none. `DnsUnavailable` if nobody can say. */
  texts(name: string): Promise<string[]>
}

/** No answer, or none that says whether there is a record. */
export class DnsUnavailable extends Error {}
