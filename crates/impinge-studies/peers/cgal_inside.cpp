// Point in polyhedron by CGAL: Side_of_triangle_mesh, exact predicates.
// usage: cgal_inside MESH POINTS ANSWERS
//   MESH     u64 vertices, u64 triangles, vertices × 3 f64, triangles × 3 u32
//   POINTS   u64 points, points × 3 f64
//   ANSWERS  one byte for each point: 0 outside, 1 inside, 2 on the boundary
// Prints the CPU seconds of the set-up and of the queries.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Surface_mesh.h>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <vector>

typedef CGAL::Exact_predicates_inexact_constructions_kernel Kernel;
typedef CGAL::Surface_mesh<Kernel::Point_3> Mesh;

template <class T> std::vector<T> take(std::ifstream& in, std::size_t count) {
  std::vector<T> values(count);
  in.read(reinterpret_cast<char*>(values.data()), count * sizeof(T));
  return values;
}

double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

int main(int, char** argument) {
  std::ifstream mesh_file(argument[1], std::ios::binary), point_file(argument[2], std::ios::binary);
  const auto counts = take<std::uint64_t>(mesh_file, 2);
  const auto vertices = take<double>(mesh_file, 3 * counts[0]);
  const auto triangles = take<std::uint32_t>(mesh_file, 3 * counts[1]);
  const auto points = take<double>(point_file, 3 * take<std::uint64_t>(point_file, 1)[0]);

  Mesh mesh;
  for (std::size_t i = 0; i < vertices.size(); i += 3)
    mesh.add_vertex(Kernel::Point_3(vertices[i], vertices[i + 1], vertices[i + 2]));
  for (std::size_t i = 0; i < triangles.size(); i += 3)
    mesh.add_face(Mesh::Vertex_index(triangles[i]), Mesh::Vertex_index(triangles[i + 1]), Mesh::Vertex_index(triangles[i + 2]));

  const double start = seconds();
  CGAL::Side_of_triangle_mesh<Mesh, Kernel> side(mesh);
  // The tree is built with the first query of a point within the bounding box.
  side(Kernel::Point_3(vertices[0], vertices[1], vertices[2]));
  const double ready = seconds();
  std::vector<char> answers;
  answers.reserve(points.size() / 3);
  for (std::size_t i = 0; i < points.size(); i += 3) {
    const auto where = side(Kernel::Point_3(points[i], points[i + 1], points[i + 2]));
    answers.push_back(where == CGAL::ON_BOUNDED_SIDE ? 1 : where == CGAL::ON_BOUNDARY ? 2 : 0);
  }
  const double done = seconds();
  std::ofstream(argument[3], std::ios::binary).write(answers.data(), answers.size());
  std::printf("%.6f %.6f\n", ready - start, done - ready);
}
