/** The download path of the PDF. */
export function pdfPath(id: string): string {
  return `/api/crm/invoices/${encodeURIComponent(id)}/pdf`
}
