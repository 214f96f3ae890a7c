import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { saveFile } from "@/lib/save-file";

/** Download each transaction of a year as a CSV file. */
export function useExportYear() {
  return useMutation({
    mutationFn: (year: number) => api.FILE("/guru/year-statement.csv", { params: { query: { year } } }),
    onSuccess: (file, year) => saveFile(file, `year-${year}.csv`),
  });
}

/** Download the totals of a year as a PDF. */
export function useYearPdf() {
  return useMutation({
    mutationFn: (year: number) => api.FILE("/guru/year-statement.pdf", { params: { query: { year } } }),
    onSuccess: (file, year) => saveFile(file, `year-${year}.pdf`),
  });
}
