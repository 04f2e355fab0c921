// What screen readers need and the theme leaves out.
document.addEventListener("DOMContentLoaded", () => {
  for (const toggle of document.querySelectorAll("nav details > summary")) {
    const link = toggle.closest("li")?.querySelector("a");
    toggle.setAttribute("aria-label", `Pages of ${link ? link.textContent.trim() : "this section"}`);
  }
  for (const list of document.querySelectorAll(".citation-list[role=list]")) {
    list.removeAttribute("role"); // its children are not list items
  }
});
