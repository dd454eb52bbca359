/** Where the invoice comes as a file. */
export function pdfPath(id: string): string {
  return `/api/crm/invoices/${encodeURIComponent(id)}/pdf`
}
